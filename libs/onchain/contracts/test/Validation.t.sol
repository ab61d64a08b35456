// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {PaymentTest} from "./PaymentTest.sol";

contract ValidationTest is PaymentTest {
    function test_refusedWhenSharesAreLessThanTheTotal() public {
        PaymentOrder memory order = tokenOrder();
        order.merchant_amount--;

        assertRefused(order, 0, doNotAddUp(order));
    }

    function test_refusedWhenSharesAreMoreThanTheTotal() public {
        PaymentOrder memory order = nativeOrder();
        order.fee_amount++;

        assertRefused(order, AMOUNT_IN, doNotAddUp(order));
    }

    function test_refusedWhenTheSumOverflows() public {
        PaymentOrder memory order = tokenOrder();
        order.merchant_amount = type(uint256).max;
        order.fee_amount = AMOUNT_IN + 1;

        assertRefused(order, 0, abi.encodeWithSignature("Panic(uint256)", 0x11));
    }

    function test_refusedWhenTheMerchantGetsNothing() public {
        PaymentOrder memory order = tokenOrder();
        order.merchant_amount = 0;
        order.fee_amount = AMOUNT_IN;

        assertRefused(order, 0, abi.encodeWithSelector(TollbridgePay.ZeroMerchantAmount.selector));
    }

    function test_refusedWithoutMerchant() public {
        PaymentOrder memory order = nativeOrder();
        order.merchant = address(0);

        assertRefused(order, AMOUNT_IN, invalidReceiver(address(0)));
    }

    function test_refusedWithAFeeForNobody() public {
        PaymentOrder memory order = nativeOrder();
        order.fee_receiver = address(0);

        assertRefused(order, AMOUNT_IN, invalidReceiver(address(0)));
    }

    function test_refusedWhenTheContractItselfWouldReceive() public {
        PaymentOrder memory toMerchant = tokenOrder();
        toMerchant.merchant = address(tollbridge);
        PaymentOrder memory toFeeReceiver = tokenOrder();
        toFeeReceiver.fee_receiver = address(tollbridge);

        assertRefused(toMerchant, 0, invalidReceiver(address(tollbridge)));
        assertRefused(toFeeReceiver, 0, invalidReceiver(address(tollbridge)));
    }

    function test_refusedWhenThePayerIsTheMerchant() public {
        PaymentOrder memory inToken = tokenOrder();
        inToken.merchant = PAYER;
        PaymentOrder memory inNative = nativeOrder();
        inNative.merchant = PAYER;

        assertRefused(inToken, 0, payerIsReceiver());
        assertRefused(inNative, AMOUNT_IN, payerIsReceiver());
    }

    function test_refusedWhenThePayerIsTheFeeReceiver() public {
        PaymentOrder memory inToken = tokenOrder();
        inToken.fee_receiver = PAYER;
        PaymentOrder memory inNative = nativeOrder();
        inNative.fee_receiver = PAYER;

        assertRefused(inToken, 0, payerIsReceiver());
        assertRefused(inNative, AMOUNT_IN, payerIsReceiver());
    }

    function test_refusedWhenTheTokenIsNoContract() public {
        PaymentOrder memory order = orderIn(STRANGER);

        assertRefused(order, 0, abi.encodeWithSelector(TollbridgePay.TokenHasNoCode.selector, STRANGER));
    }

    function test_tokenNamesUpToTheBoundAreAccepted() public {
        PaymentOrder memory order = tokenOrder();
        order.token_in = string(new bytes(tollbridge.MAX_TOKEN_NAME_BYTES()));
        order.token_out = order.token_in;

        payToken(PAYER, order);

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
    }

    function test_refusedWhenATokenNameIsTooLong() public {
        string memory tooLong = string(new bytes(tollbridge.MAX_TOKEN_NAME_BYTES() + 1));
        PaymentOrder memory longIn = tokenOrder();
        longIn.token_in = tooLong;
        PaymentOrder memory longOut = tokenOrder();
        longOut.token_out = tooLong;
        bytes memory reason = abi.encodeWithSelector(TollbridgePay.TokenNameTooLong.selector);

        assertRefused(longIn, 0, reason);
        assertRefused(longOut, 0, reason);
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
