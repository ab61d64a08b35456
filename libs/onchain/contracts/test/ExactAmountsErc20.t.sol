// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder} from "../TollbridgePay.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {PaymentTest, Vm} from "./PaymentTest.sol";

contract ExactAmountsErc20Test is PaymentTest {
    bytes32 private constant TRANSFER_TOPIC = keccak256("Transfer(address,address,uint256)");

    function test_merchantAndFeeReceiverGetExactAmounts() public {
        payToken(PAYER, tokenOrder());

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
        assertTokens(FEE_RECEIVER, FEE_AMOUNT);
        assertTokens(PAYER, PAYER_FUNDS - AMOUNT_IN);
        assertTokens(address(tollbridge), 0);
        vm.assertTrue(tollbridge.paid(tollbridge.hashOrder(tokenOrder())), "paid");
    }

    function test_addsToWhatTheReceiversHadBefore() public {
        token.mint(MERCHANT, 5);
        token.mint(FEE_RECEIVER, 7);

        payToken(PAYER, tokenOrder());

        assertTokens(MERCHANT, MERCHANT_AMOUNT + 5);
        assertTokens(FEE_RECEIVER, FEE_AMOUNT + 7);
    }

    function test_zeroFeeSendsNoSecondTransfer() public {
        PaymentOrder memory order = tokenOrder();
        order.merchant_amount = AMOUNT_IN;
        order.fee_amount = 0;
        order.fee_receiver = address(0);

        vm.recordLogs();
        payToken(PAYER, order);

        vm.assertEq(transfersIn(vm.getRecordedLogs()), 1, "transfers");
        assertTokens(MERCHANT, AMOUNT_IN);
    }

    function test_feeReceiverIsIgnoredWhenFeeIsZero() public {
        PaymentOrder memory order = tokenOrder();
        order.merchant_amount = AMOUNT_IN;
        order.fee_amount = 0;
        order.fee_receiver = PAYER;

        payToken(PAYER, order);

        assertTokens(MERCHANT, AMOUNT_IN);
        assertTokens(PAYER, PAYER_FUNDS - AMOUNT_IN);
    }

    function test_paysBothSharesToAMerchantThatIsTheFeeReceiver() public {
        PaymentOrder memory order = tokenOrder();
        order.fee_receiver = MERCHANT;

        payToken(PAYER, order);

        assertTokens(MERCHANT, AMOUNT_IN);
        assertTokens(PAYER, PAYER_FUNDS - AMOUNT_IN);
    }

    function test_rejectsAPaymentAboveTheAllowance() public {
        vm.prank(PAYER);
        token.approve(address(tollbridge), AMOUNT_IN - 1);

        // The allowance covers the merchant's share but not the fee. Neither may be transferred.
        assertRejected(
            tokenOrder(),
            0,
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector,
                address(tollbridge),
                FEE_AMOUNT - 1,
                FEE_AMOUNT
            )
        );
    }

    function transfersIn(Vm.Log[] memory logs) private pure returns (uint256 count) {
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].topics[0] == TRANSFER_TOPIC) count++;
        }
    }
}
