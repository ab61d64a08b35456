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
    TakesBackToken,
    TaxesOneReceiverToken
} from "./tokens/InexactTokens.sol";
import {
    FalseReturningToken,
    MovesAndReturnsFalseToken,
    NoReturnToken,
    RevertingToken,
    TronUsdtToken
} from "./tokens/ReturnValueTokens.sol";

contract HostileTokensTest is PaymentTest {
    function test_tokenThatReturnsNothingIsAccepted() public {
        NoReturnToken silent = new NoReturnToken();
        silent.mint(PAYER, PAYER_FUNDS);

        payToken(PAYER, orderIn(address(silent)));

        vm.assertEq(silent.balanceOf(MERCHANT), MERCHANT_AMOUNT, "merchant");
        vm.assertEq(silent.balanceOf(FEE_RECEIVER), FEE_AMOUNT, "fee receiver");
    }

    function test_tronUsdtIsAccepted() public {
        useToken(new TronUsdtToken());

        payToken(PAYER, tokenOrder());

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
        assertTokens(FEE_RECEIVER, FEE_AMOUNT);
    }

    function test_tokenThatReturnsFalseIsRefused() public {
        useToken(new FalseReturningToken());

        assertRefused(tokenOrder(), 0, failedOperation());
    }

    function test_tokenThatMovesButReturnsFalseIsRefused() public {
        useToken(new MovesAndReturnsFalseToken());

        assertRefused(tokenOrder(), 0, failedOperation());
    }

    function test_reasonOfARevertingTokenIsPassedOn() public {
        useToken(new RevertingToken());

        assertRefused(tokenOrder(), 0, abi.encodeWithSelector(RevertingToken.Paused.selector));
    }

    function test_feeOnTransferIsRefused() public {
        useToken(new FeeOnTransferToken());

        assertRefused(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, MERCHANT_AMOUNT - MERCHANT_AMOUNT / 100));
    }

    function test_taxOnTheFeeAloneIsRefused() public {
        useToken(new TaxesOneReceiverToken(FEE_RECEIVER));

        assertRefused(tokenOrder(), 0, inexact(FEE_RECEIVER, FEE_AMOUNT, FEE_AMOUNT - 1));
    }

    function test_taxIsRefusedWhenTheMerchantGetsBothShares() public {
        useToken(new TaxesOneReceiverToken(MERCHANT));
        PaymentOrder memory order = tokenOrder();
        order.fee_receiver = MERCHANT;

        assertRefused(order, 0, inexact(MERCHANT, AMOUNT_IN, AMOUNT_IN - 1));
    }

    function test_tokenThatMovesTooMuchIsRefused() public {
        useToken(new BonusToken());

        assertRefused(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, MERCHANT_AMOUNT + 1));
    }

    function test_tokenThatMovesNothingIsRefused() public {
        useToken(new LyingToken());

        assertRefused(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, 0));
    }

    function test_tokenThatTakesTheFirstShareBackIsRefused() public {
        useToken(new TakesBackToken());

        assertRefused(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, 0));
    }

    function test_blockedMerchantMeansNoPayment() public {
        useToken(new BlocklistToken(MERCHANT));

        assertRefused(tokenOrder(), 0, blocked(MERCHANT));
    }

    function test_blockedFeeReceiverMeansNoPaymentAtAll() public {
        useToken(new BlocklistToken(FEE_RECEIVER));

        assertRefused(tokenOrder(), 0, blocked(FEE_RECEIVER));
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
