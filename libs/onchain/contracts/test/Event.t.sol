// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {PaymentTest, Vm} from "./PaymentTest.sol";

contract EventTest is PaymentTest {
    function test_carriesTheWholeTokenOrder() public {
        vm.recordLogs();
        payToken(PAYER, tokenOrder());

        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 3, "two transfers and the event");
        assertOrderPaid(logs[2], tokenOrder());
    }

    function test_carriesTheWholeNativeOrder() public {
        vm.recordLogs();
        payNative(PAYER, nativeOrder(), AMOUNT_IN);

        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1, "the event alone");
        assertOrderPaid(logs[0], nativeOrder());
    }

    function test_reportsBothSharesWhenTheMerchantGetsBoth() public {
        PaymentOrder memory order = nativeOrder();
        order.fee_receiver = MERCHANT;

        vm.recordLogs();
        payNative(PAYER, order, AMOUNT_IN);

        assertOrderPaid(vm.getRecordedLogs()[0], order);
    }

    function assertOrderPaid(Vm.Log memory log, PaymentOrder memory order) private view {
        vm.assertEq(log.emitter, address(tollbridge), "emitter");
        vm.assertEq(log.topics.length, 4, "topics");
        vm.assertEq(log.topics[0], TollbridgePay.OrderPaid.selector, "event");
        vm.assertEq(log.topics[1], keccak256(abi.encode(order)), "orderHash");
        vm.assertEq(log.topics[2], bytes32(order.order_id), "order_id");
        vm.assertEq(log.topics[3], bytes32(uint256(uint160(PAYER))), "payer");
        vm.assertEq(
            log.data,
            abi.encode(
                order.token_in,
                order.token_out,
                order.amount_in,
                order.token_in_address,
                order.merchant,
                order.merchant_amount,
                order.fee_receiver,
                order.fee_amount,
                order.deadline
            ),
            "event data"
        );
    }
}
