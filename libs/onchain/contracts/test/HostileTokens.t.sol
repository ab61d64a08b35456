// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {SandboxToken} from "../SandboxToken.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {PaymentTest} from "./PaymentTest.sol";
import {BlocklistToken} from "./tokens/BlocklistToken.sol";
import {
    BonusToken,
    FeeOnTransferToken,
    LyingToken,
    RevokingToken,
    TaxesOneReceiverToken
} from "./tokens/InexactTokens.sol";
import {
    FalseReturningToken,
    NoReturnToken,
    RevertingToken,
    TransfersAndReturnsFalseToken
} from "./tokens/ReturnValueTokens.sol";

contract HostileTokensTest is PaymentTest {
    function test_acceptsATokenThatReturnsNothing() public {
        NoReturnToken silent = new NoReturnToken();
        silent.mint(PAYER, PAYER_FUNDS);

        payToken(PAYER, orderIn(address(silent)));

        vm.assertEq(silent.balanceOf(MERCHANT), MERCHANT_AMOUNT, "merchant");
        vm.assertEq(silent.balanceOf(FEE_RECEIVER), FEE_AMOUNT, "fee receiver");
    }

    function test_rejectsATokenThatReturnsFalse() public {
        useToken(new FalseReturningToken());

        assertRejected(tokenOrder(), 0, failedOperation());
    }

    function test_rejectsATokenThatTransfersButReturnsFalse() public {
        useToken(new TransfersAndReturnsFalseToken());

        assertRejected(tokenOrder(), 0, failedOperation());
    }

    function test_passesOnTheReasonOfARevertingToken() public {
        useToken(new RevertingToken());

        assertRejected(tokenOrder(), 0, abi.encodeWithSelector(RevertingToken.Paused.selector));
    }

    function test_rejectsAFeeOnTransfer() public {
        useToken(new FeeOnTransferToken());

        assertRejected(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, MERCHANT_AMOUNT - MERCHANT_AMOUNT / 100));
    }

    function test_rejectsATaxOnTheFeeAlone() public {
        useToken(new TaxesOneReceiverToken(FEE_RECEIVER));

        assertRejected(tokenOrder(), 0, inexact(FEE_RECEIVER, FEE_AMOUNT, FEE_AMOUNT - 1));
    }

    function test_rejectsATaxWhenTheMerchantGetsBothShares() public {
        useToken(new TaxesOneReceiverToken(MERCHANT));
        PaymentOrder memory order = tokenOrder();
        order.fee_receiver = MERCHANT;

        assertRejected(order, 0, inexact(MERCHANT, AMOUNT_IN, AMOUNT_IN - 1));
    }

    function test_rejectsATokenThatTransfersTooMuch() public {
        useToken(new BonusToken());

        assertRejected(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, MERCHANT_AMOUNT + 1));
    }

    function test_rejectsATokenThatTransfersNothing() public {
        useToken(new LyingToken());

        assertRejected(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, 0));
    }

    function test_rejectsATokenThatRevokesTheFirstTransfer() public {
        useToken(new RevokingToken());

        assertRejected(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, 0));
    }

    function test_revertsWhenTheTokenBlocksTheMerchant() public {
        useToken(new BlocklistToken(MERCHANT));

        assertRejected(tokenOrder(), 0, blocked(MERCHANT));
    }

    function test_revertsAsAWholeWhenTheTokenBlocksTheFeeReceiver() public {
        useToken(new BlocklistToken(FEE_RECEIVER));

        assertRejected(tokenOrder(), 0, blocked(FEE_RECEIVER));
        assertTokens(PAYER, PAYER_FUNDS);
    }

    function useToken(SandboxToken hostile) private {
        token = hostile;
        fund(PAYER);
    }

    function failedOperation() private view returns (bytes memory) {
        return abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token));
    }

    function inexact(address receiver, uint256 expected, uint256 actual) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TollbridgePay.InexactTransfer.selector, receiver, expected, actual);
    }

    function blocked(address account) private pure returns (bytes memory) {
        return abi.encodeWithSelector(BlocklistToken.AccountBlocked.selector, account);
    }
}
