// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {PaymentTest} from "./PaymentTest.sol";

contract FuzzTest is PaymentTest {
    function testFuzz_anyTokenSplitIsExact(uint128 merchantAmount, uint128 feeAmount, bytes16 id) public {
        PaymentOrder memory order = split(tokenOrder(), merchantAmount, feeAmount, id);
        token.mint(PAYER, order.amount_in);

        payToken(PAYER, order);

        assertTokens(MERCHANT, order.merchant_amount);
        assertTokens(FEE_RECEIVER, order.fee_amount);
        assertTokens(PAYER, PAYER_FUNDS);
        assertTokens(address(tollbridge), 0);
    }

    function testFuzz_anyNativeSplitIsExact(uint128 merchantAmount, uint128 feeAmount, bytes16 id) public {
        PaymentOrder memory order = split(nativeOrder(), merchantAmount, feeAmount, id);
        vm.deal(PAYER, order.amount_in);

        payNative(PAYER, order, order.amount_in);

        assertNative(MERCHANT, order.merchant_amount);
        assertNative(FEE_RECEIVER, order.fee_amount);
        assertNative(PAYER, 0);
        assertNative(address(tollbridge), 0);
    }

    function testFuzz_rejectsSharesThatDoNotAddUp(uint128 merchantAmount, uint128 feeAmount, uint256 total) public {
        PaymentOrder memory order = split(tokenOrder(), merchantAmount, feeAmount, 0);
        if (total == order.amount_in) total++;
        order.amount_in = total;

        assertRejected(
            order,
            0,
            abi.encodeWithSelector(
                TollbridgePay.AmountsDoNotAddUp.selector,
                total,
                order.merchant_amount,
                order.fee_amount
            )
        );
    }

    function testFuzz_deadlineDecides(uint64 deadline, uint64 timestamp) public {
        vm.warp(timestamp);
        PaymentOrder memory order = tokenOrder();
        order.deadline = deadline;

        if (timestamp > deadline) {
            assertRejected(order, 0, abi.encodeWithSelector(TollbridgePay.OrderExpired.selector, deadline));
        } else {
            payToken(PAYER, order);
            assertTokens(MERCHANT, MERCHANT_AMOUNT);
        }
    }

    function testFuzz_nativeValueMustMatch(uint128 value) public {
        if (value == AMOUNT_IN) value++;
        vm.deal(PAYER, value);

        assertRejected(
            nativeOrder(),
            value,
            abi.encodeWithSelector(TollbridgePay.WrongNativeValue.selector, AMOUNT_IN, value)
        );
    }

    function testFuzz_hashIsThatOfTheWholeOrder(PaymentOrder calldata order) public view {
        vm.assertEq(tollbridge.hashOrder(order), keccak256(abi.encode(order)), "order hash");
    }

    function split(
        PaymentOrder memory order,
        uint256 merchantAmount,
        uint256 feeAmount,
        bytes16 id
    ) private pure returns (PaymentOrder memory) {
        order.order_id = id;
        order.merchant_amount = merchantAmount == 0 ? 1 : merchantAmount;
        order.fee_amount = feeAmount;
        order.amount_in = order.merchant_amount + feeAmount;
        return order;
    }
}
