// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {PaymentTest} from "./PaymentTest.sol";

contract DeadlineTest is PaymentTest {
    function test_acceptsAPaymentInTheLastSecond() public {
        vm.warp(DEADLINE);

        payToken(PAYER, tokenOrder());

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
    }

    function test_rejectsAPaymentOneSecondAfterTheDeadline() public {
        vm.warp(uint256(DEADLINE) + 1);

        assertRejected(tokenOrder(), 0, expired(DEADLINE));
        assertRejected(nativeOrder(), AMOUNT_IN, expired(DEADLINE));
    }

    function test_rejectsAnOrderWithoutADeadline() public {
        PaymentOrder memory order = tokenOrder();
        order.deadline = 0;

        assertRejected(order, 0, expired(0));
    }

    function expired(uint64 deadline) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TollbridgePay.OrderExpired.selector, deadline);
    }
}
