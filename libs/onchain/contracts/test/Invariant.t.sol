// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentHandler} from "./PaymentHandler.sol";
import {PaymentTest} from "./PaymentTest.sol";

contract InvariantTest is PaymentTest {
    PaymentHandler private handler;

    function setUp() public override {
        super.setUp();
        handler = new PaymentHandler(tollbridge, token, PAYER_FUNDS);
        for (uint256 i = 0; i < handler.accountCount(); i++) fund(handler.account(i));
    }

    /// @dev Forge reads this list, so that random calls target only the handler.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_theContractNeverHoldsFunds() public view {
        assertTokens(address(tollbridge), 0);
        assertNative(address(tollbridge), 0);
    }

    function invariant_moneyIsConserved() public view {
        uint256 tokens = 0;
        uint256 native = 0;
        for (uint256 i = 0; i < handler.accountCount(); i++) {
            tokens += token.balanceOf(handler.account(i));
            native += handler.account(i).balance;
        }
        vm.assertEq(tokens, handler.accountCount() * PAYER_FUNDS, "all tokens");
        vm.assertEq(native, handler.accountCount() * PAYER_FUNDS, "all native coins");
    }

    function invariant_everyBalanceIsWhatTheOrdersSay() public view {
        for (uint256 i = 0; i < handler.accountCount(); i++) {
            address account = handler.account(i);
            assertTokens(account, handler.owned(address(token), account));
            assertNative(account, handler.owned(NATIVE, account));
        }
    }

    function invariant_nothingIsPaidTwiceLateOrInPart() public view {
        vm.assertEq(handler.wronglyAccepted(), 0, "wrongly accepted payments");
        vm.assertEq(handler.wronglyRejected(), 0, "payments rejected for the wrong reason");
    }

    /// @dev Without this test, the invariants would also hold for a handler that does nothing.
    function test_theHandlerHasPaymentsAcceptedAndRejected() public {
        for (uint256 seed = 0; seed < 12; seed++) {
            handler.pay(seed, uint128(seed), 5, seed % 2 == 0);
            handler.payAgain(seed);
            handler.payLate(seed, 5, 5, seed % 2 == 0);
            handler.payWithWrongShares(seed, 5, 5, seed % 2 == 0);
            handler.payWithWrongValue(seed, 5, 5, seed % 2 == 0);
        }

        vm.assertEq(handler.paidCount(), 12, "payments");
        vm.assertEq(handler.rejections(), 48, "rejections");
        invariant_everyBalanceIsWhatTheOrdersSay();
    }
}
