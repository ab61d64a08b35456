// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {PaymentTest} from "./PaymentTest.sol";

contract ReplayTest is PaymentTest {
    function test_theSameTokenOrderIsPaidOnce() public {
        payToken(PAYER, tokenOrder());

        assertRejected(tokenOrder(), 0, alreadyPaid(tokenOrder()));
        assertTokens(MERCHANT, MERCHANT_AMOUNT);
    }

    function test_theSameNativeOrderIsPaidOnce() public {
        payNative(PAYER, nativeOrder(), AMOUNT_IN);

        assertRejected(nativeOrder(), AMOUNT_IN, alreadyPaid(nativeOrder()));
        assertNative(MERCHANT, MERCHANT_AMOUNT);
    }

    function test_anotherPayerCannotPayAPaidOrderAgain() public {
        fund(STRANGER);
        payToken(STRANGER, tokenOrder());

        assertRejected(tokenOrder(), 0, alreadyPaid(tokenOrder()));
        assertTokens(PAYER, PAYER_FUNDS);
    }

    function test_strangerCannotBlockAnOrderIdByPayingAnOwnAccount() public {
        fund(STRANGER);
        PaymentOrder memory forged = tokenOrder();
        forged.merchant = address(0xBAD);
        forged.amount_in = 1;
        forged.merchant_amount = 1;
        forged.fee_amount = 0;
        payToken(STRANGER, forged);

        payToken(PAYER, tokenOrder());

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
    }

    function test_everyFieldIsPartOfTheKey() public view {
        bytes32 original = tollbridge.hashOrder(tokenOrder());

        for (uint256 field = 0; field < 10; field++) {
            bytes32 changed = tollbridge.hashOrder(withChangedField(field));
            vm.assertNotEq(changed, original, "hash of a changed order");
        }
    }

    function test_theKeyIsTheHashOfTheEncodedOrder() public view {
        vm.assertEq(tollbridge.hashOrder(tokenOrder()), keccak256(abi.encode(tokenOrder())), "order hash");
    }

    function test_hashSeparatesTheTokenNames() public view {
        PaymentOrder memory left = tokenOrder();
        PaymentOrder memory right = tokenOrder();
        (left.token_in, left.token_out) = ("USDTU", "SDC");
        (right.token_in, right.token_out) = ("USDT", "USDC");

        vm.assertNotEq(tollbridge.hashOrder(left), tollbridge.hashOrder(right), "hash of shifted text");
    }

    function withChangedField(uint256 field) private view returns (PaymentOrder memory order) {
        order = tokenOrder();
        if (field == 0) order.order_id = bytes16(uint128(1));
        if (field == 1) order.token_in = "DAI";
        if (field == 2) order.token_out = "DAI";
        if (field == 3) order.amount_in++;
        if (field == 4) order.token_in_address = NATIVE;
        if (field == 5) order.merchant = STRANGER;
        if (field == 6) order.merchant_amount++;
        if (field == 7) order.fee_receiver = STRANGER;
        if (field == 8) order.fee_amount++;
        if (field == 9) order.deadline++;
    }

    function alreadyPaid(PaymentOrder memory order) private view returns (bytes memory) {
        return abi.encodeWithSelector(TollbridgePay.OrderAlreadyPaid.selector, tollbridge.hashOrder(order));
    }
}
