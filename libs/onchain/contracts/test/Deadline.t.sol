// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {PaymentTest} from "./PaymentTest.sol";

contract DeadlineTest is PaymentTest {
    function test_paidInTheLastSecond() public {
        vm.warp(DEADLINE);

        payToken(PAYER, tokenOrder());

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
    }

    function test_refusedOneSecondLater() public {
        vm.warp(uint256(DEADLINE) + 1);

        assertRefused(tokenOrder(), 0, expired(DEADLINE));
        assertRefused(nativeOrder(), AMOUNT_IN, expired(DEADLINE));
    }

    function test_refusedWithoutDeadline() public {
        PaymentOrder memory order = tokenOrder();
        order.deadline = 0;

        assertRefused(order, 0, expired(0));
    }

    function expired(uint64 deadline) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TollbridgePay.OrderExpired.selector, deadline);
    }
}
