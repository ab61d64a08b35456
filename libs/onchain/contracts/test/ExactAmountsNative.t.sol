// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {PaymentTest} from "./PaymentTest.sol";

/// @dev Rejects the native coin.
contract NoReceive {}

/// @dev Counts calls, because a transfer of zero would be a second call.
contract CountingReceiver {
    uint256 public calls;

    receive() external payable {
        calls++;
    }
}

contract ExactAmountsNativeTest is PaymentTest {
    function test_merchantAndFeeReceiverGetExactAmounts() public {
        payNative(PAYER, nativeOrder(), AMOUNT_IN);

        assertNative(MERCHANT, MERCHANT_AMOUNT);
        assertNative(FEE_RECEIVER, FEE_AMOUNT);
        assertNative(PAYER, PAYER_FUNDS - AMOUNT_IN);
        assertNative(address(tollbridge), 0);
        vm.assertTrue(tollbridge.paid(tollbridge.hashOrder(nativeOrder())), "paid");
    }

    function test_addsToWhatTheReceiversHadBefore() public {
        vm.deal(MERCHANT, 5);
        vm.deal(FEE_RECEIVER, 7);

        payNative(PAYER, nativeOrder(), AMOUNT_IN);

        assertNative(MERCHANT, MERCHANT_AMOUNT + 5);
        assertNative(FEE_RECEIVER, FEE_AMOUNT + 7);
    }

    function test_zeroFeeIsNotSent() public {
        CountingReceiver feeReceiver = new CountingReceiver();
        PaymentOrder memory order = nativeOrder();
        order.merchant_amount = AMOUNT_IN;
        order.fee_amount = 0;
        order.fee_receiver = address(feeReceiver);

        payNative(PAYER, order, AMOUNT_IN);

        assertNative(MERCHANT, AMOUNT_IN);
        vm.assertEq(feeReceiver.calls(), 0, "calls to the fee receiver");
    }

    function test_paysBothSharesToAMerchantThatIsTheFeeReceiver() public {
        PaymentOrder memory order = nativeOrder();
        order.fee_receiver = MERCHANT;

        payNative(PAYER, order, AMOUNT_IN);

        assertNative(MERCHANT, AMOUNT_IN);
        assertNative(address(tollbridge), 0);
    }

    function test_smartWalletsCanReceive() public {
        CountingReceiver merchant = new CountingReceiver();
        PaymentOrder memory order = nativeOrder();
        order.merchant = address(merchant);

        payNative(PAYER, order, AMOUNT_IN);

        assertNative(address(merchant), MERCHANT_AMOUNT);
    }

    function test_rejectsTooLittleValue() public {
        assertRejected(nativeOrder(), AMOUNT_IN - 1, wrongValue(AMOUNT_IN, AMOUNT_IN - 1));
    }

    function test_rejectsTooMuchValue() public {
        assertRejected(nativeOrder(), AMOUNT_IN + 1, wrongValue(AMOUNT_IN, AMOUNT_IN + 1));
    }

    function test_rejectsValueWithATokenOrder() public {
        assertRejected(tokenOrder(), 1, wrongValue(0, 1));
    }

    function test_revertsWhenTheMerchantRejectsTheCoin() public {
        PaymentOrder memory order = nativeOrder();
        order.merchant = address(new NoReceive());

        assertRejected(order, AMOUNT_IN, transferFailed(order.merchant));
        assertNative(PAYER, PAYER_FUNDS);
    }

    function test_revertsAsAWholeWhenTheFeeReceiverRejectsTheCoin() public {
        PaymentOrder memory order = nativeOrder();
        order.fee_receiver = address(new NoReceive());

        assertRejected(order, AMOUNT_IN, transferFailed(order.fee_receiver));
        assertNative(PAYER, PAYER_FUNDS);
    }

    function test_rejectsPlainTransfersToTheContract() public {
        vm.prank(PAYER);
        (bool accepted, ) = address(tollbridge).call{value: 1}("");

        vm.assertFalse(accepted, "accepted a plain transfer");
        assertNative(address(tollbridge), 0);
    }

    function test_rejectsUnknownCallsWithValue() public {
        vm.prank(PAYER);
        (bool accepted, ) = address(tollbridge).call{value: 1}(hex"deadbeef");

        vm.assertFalse(accepted, "accepted an unknown call");
    }

    function wrongValue(uint256 expected, uint256 sent) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TollbridgePay.WrongNativeValue.selector, expected, sent);
    }

    function transferFailed(address receiver) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TollbridgePay.NativeTransferFailed.selector, receiver);
    }
}
