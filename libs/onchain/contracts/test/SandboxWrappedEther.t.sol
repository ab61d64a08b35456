// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SandboxWrappedEther} from "../SandboxWrappedEther.sol";
import {PaymentTest} from "./PaymentTest.sol";

contract SandboxWrappedEtherTest is PaymentTest {
    SandboxWrappedEther internal wrapped;

    function setUp() public override {
        super.setUp();
        wrapped = new SandboxWrappedEther();
    }

    function test_wrapsAndUnwrapsOneToOne() public {
        uint256 before = PAYER.balance;
        vm.prank(PAYER);
        wrapped.deposit{value: 5}();
        vm.assertEq(wrapped.balanceOf(PAYER), 5, "wrapped");
        vm.assertEq(address(wrapped).balance, 5, "backing");

        vm.prank(PAYER);
        wrapped.withdraw(2);
        vm.assertEq(wrapped.balanceOf(PAYER), 3, "left");
        vm.assertEq(PAYER.balance, before - 3, "coin");
    }

    function test_wrapsAPlainTransfer() public {
        vm.prank(PAYER);
        (bool succeeded,) = address(wrapped).call{value: 7}("");
        vm.assertTrue(succeeded, "accepted");
        vm.assertEq(wrapped.balanceOf(PAYER), 7, "wrapped");
    }

    function test_rejectsAWithdrawalToAContractThatCannotReceive() public {
        vm.deal(address(token), 4);
        vm.prank(address(token));
        wrapped.deposit{value: 4}();
        vm.expectRevert(abi.encodeWithSelector(SandboxWrappedEther.WithdrawalRefused.selector, address(token)));
        vm.prank(address(token));
        wrapped.withdraw(4);
    }
}
