// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {PaymentTest} from "./PaymentTest.sol";

contract ValidationTest is PaymentTest {
    function test_rejectsSharesBelowTheTotal() public {
        PaymentOrder memory order = tokenOrder();
        order.merchant_amount--;

        assertRejected(order, 0, doNotAddUp(order));
    }

    function test_rejectsSharesAboveTheTotal() public {
        PaymentOrder memory order = nativeOrder();
        order.fee_amount++;

        assertRejected(order, AMOUNT_IN, doNotAddUp(order));
    }

    function test_rejectsSharesWithASumThatOverflows() public {
        PaymentOrder memory order = tokenOrder();
        order.merchant_amount = type(uint256).max;
        order.fee_amount = AMOUNT_IN + 1;

        assertRejected(order, 0, abi.encodeWithSignature("Panic(uint256)", 0x11));
    }

    function test_rejectsAZeroMerchantAmount() public {
        PaymentOrder memory order = tokenOrder();
        order.merchant_amount = 0;
        order.fee_amount = AMOUNT_IN;

        assertRejected(order, 0, abi.encodeWithSelector(TollbridgePay.ZeroMerchantAmount.selector));
    }

    function test_rejectsAnOrderWithoutAMerchant() public {
        PaymentOrder memory order = nativeOrder();
        order.merchant = address(0);

        assertRejected(order, AMOUNT_IN, invalidReceiver(address(0)));
    }

    function test_rejectsAFeeWithoutAReceiver() public {
        PaymentOrder memory order = nativeOrder();
        order.fee_receiver = address(0);

        assertRejected(order, AMOUNT_IN, invalidReceiver(address(0)));
    }

    function test_rejectsTheContractAsReceiver() public {
        PaymentOrder memory toMerchant = tokenOrder();
        toMerchant.merchant = address(tollbridge);
        PaymentOrder memory toFeeReceiver = tokenOrder();
        toFeeReceiver.fee_receiver = address(tollbridge);

        assertRejected(toMerchant, 0, invalidReceiver(address(tollbridge)));
        assertRejected(toFeeReceiver, 0, invalidReceiver(address(tollbridge)));
    }

    function test_rejectsThePayerAsMerchant() public {
        PaymentOrder memory inToken = tokenOrder();
        inToken.merchant = PAYER;
        PaymentOrder memory inNative = nativeOrder();
        inNative.merchant = PAYER;

        assertRejected(inToken, 0, payerIsReceiver());
        assertRejected(inNative, AMOUNT_IN, payerIsReceiver());
    }

    function test_rejectsThePayerAsFeeReceiver() public {
        PaymentOrder memory inToken = tokenOrder();
        inToken.fee_receiver = PAYER;
        PaymentOrder memory inNative = nativeOrder();
        inNative.fee_receiver = PAYER;

        assertRejected(inToken, 0, payerIsReceiver());
        assertRejected(inNative, AMOUNT_IN, payerIsReceiver());
    }

    function test_rejectsATokenWithoutCode() public {
        PaymentOrder memory order = orderIn(STRANGER);

        assertRejected(order, 0, abi.encodeWithSelector(TollbridgePay.TokenHasNoCode.selector, STRANGER));
    }

    function test_acceptsTokenNamesUpToTheBound() public {
        PaymentOrder memory order = tokenOrder();
        order.token_in = string(new bytes(tollbridge.MAX_TOKEN_NAME_BYTES()));
        order.token_out = order.token_in;

        payToken(PAYER, order);

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
    }

    function test_rejectsATokenNameThatIsTooLong() public {
        string memory tooLong = string(new bytes(tollbridge.MAX_TOKEN_NAME_BYTES() + 1));
        PaymentOrder memory longIn = tokenOrder();
        longIn.token_in = tooLong;
        PaymentOrder memory longOut = tokenOrder();
        longOut.token_out = tooLong;
        bytes memory reason = abi.encodeWithSelector(TollbridgePay.TokenNameTooLong.selector);

        assertRejected(longIn, 0, reason);
        assertRejected(longOut, 0, reason);
    }

    function doNotAddUp(PaymentOrder memory order) private pure returns (bytes memory) {
        return
            abi.encodeWithSelector(
                TollbridgePay.AmountsDoNotAddUp.selector,
                order.amount_in,
                order.merchant_amount,
                order.fee_amount
            );
    }

    function invalidReceiver(address receiver) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TollbridgePay.InvalidReceiver.selector, receiver);
    }

    function payerIsReceiver() private pure returns (bytes memory) {
        return abi.encodeWithSelector(TollbridgePay.PayerIsReceiver.selector, PAYER);
    }
}
