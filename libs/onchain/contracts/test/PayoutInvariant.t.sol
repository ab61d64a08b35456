// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Batch, Recipient} from "../TollbridgePayouts.sol";
import {PayoutTest} from "./PayoutTest.sol";
import {ChoosyToken} from "./tokens/PayoutTokens.sol";

/// @dev Runs random payouts, including repeated and modified ones, and tracks the expected balances.
contract PayoutHandler is PayoutTest {
    uint256 private constant ACCOUNTS = 4;

    ChoosyToken private _choosy;
    mapping(address account => uint256) public owned;
    mapping(uint256 index => bool) private _isPaid;
    uint256 public paidCount;
    uint256 public repeatedCount;
    uint256 public wronglyAccepted;

    constructor() {
        setUp();
        _choosy = new ChoosyToken();
        useToken(_choosy);
        token.mint(owner, type(uint128).max);
        owned[owner] = token.balanceOf(owner);
    }

    function payOut(uint256 seed, uint64 fee, uint8 count) external {
        (Batch memory batch, Recipient[] memory recipients) = batchOf(seed % 50, fee, count);
        bytes memory signature = signed(batch, recipients);
        if (_isPaid[batch.index]) {
            repeatedCount++;
            try payouts.payOut(batch, recipients, owner, signature) {
                wronglyAccepted++;
            } catch {}
            return;
        }
        payouts.payOut(batch, recipients, owner, signature);
        _isPaid[batch.index] = true;
        paidCount++;
        book(batch, recipients);
    }

    function payOutChanged(uint256 seed, uint64 fee, uint8 count) external {
        (Batch memory batch, Recipient[] memory recipients) = batchOf(50 + (seed % 50), fee, count);
        bytes memory signature = signed(batch, recipients);
        recipients[0].account = RELAYER;
        try payouts.payOut(batch, recipients, owner, signature) {
            wronglyAccepted++;
        } catch {}
    }

    function blockAccount(uint256 seed) external {
        // Blocks one of the four accounts permanently. The others are still paid.
        if (seed % 8 == 0) _choosy.blockAccount(accountOf(0), ChoosyToken.Manner.Reverts);
    }

    function held(address account) external view returns (uint256) {
        return token.balanceOf(account);
    }

    function holders() external view returns (address[] memory all) {
        all = new address[](ACCOUNTS + 4);
        for (uint256 i = 0; i < ACCOUNTS; i++) all[i] = accountOf(i);
        (all[ACCOUNTS], all[ACCOUNTS + 1]) = (owner, FEE_RECIPIENT);
        (all[ACCOUNTS + 2], all[ACCOUNTS + 3]) = (address(payouts), RELAYER);
    }

    function batchOf(
        uint256 index,
        uint64 fee,
        uint8 count
    ) private view returns (Batch memory batch, Recipient[] memory recipients) {
        batch = someBatch();
        (batch.index, batch.fee) = (index, fee);
        recipients = new Recipient[](1 + (count % 6));
        for (uint256 i = 0; i < recipients.length; i++) {
            recipients[i] = Recipient(accountOf(i % ACCOUNTS), 1 + ((uint256(fee) + i) % 1_000));
        }
    }

    function book(Batch memory batch, Recipient[] memory recipients) private {
        uint256 rejected = 0;
        uint256 total = totalOf(recipients);
        for (uint256 i = 0; i < recipients.length; i++) {
            (address account, uint256 amount) = (recipients[i].account, recipients[i].amount);
            if (_choosy.isBlocked(account)) rejected += amount;
            else owned[account] += amount;
        }
        uint256 charged = batch.fee - (batch.fee * rejected) / total;
        owned[FEE_RECIPIENT] += charged;
        owned[owner] -= total - rejected + charged;
    }
}

contract PayoutInvariantTest is PayoutTest {
    PayoutHandler private handler;

    function setUp() public override {
        handler = new PayoutHandler();
    }

    /// @dev Forge reads this list, so that random calls target only these functions.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        bytes4[] memory selectors = new bytes4[](3);
        selectors[0] = PayoutHandler.payOut.selector;
        selectors[1] = PayoutHandler.payOutChanged.selector;
        selectors[2] = PayoutHandler.blockAccount.selector;
        targets[0] = FuzzSelector(address(handler), selectors);
    }

    function invariant_everyBalanceIsWhatThePayoutsSay() public view {
        address[] memory holders = handler.holders();
        for (uint256 i = 0; i < holders.length; i++)
            vm.assertEq(handler.held(holders[i]), handler.owned(holders[i]), "tokens held");
    }

    function invariant_nothingIsPaidTwiceOrChanged() public view {
        vm.assertEq(handler.wronglyAccepted(), 0, "wrongly accepted payouts");
    }

    /// @dev Without this test, the invariants would also hold for a handler that does nothing.
    function test_theHandlerHasPaymentsAcceptedAndRejected() public {
        for (uint256 seed = 0; seed < 12; seed++) {
            handler.payOut(seed, uint64(seed), uint8(seed));
            handler.payOut(seed, uint64(seed), uint8(seed));
            handler.payOutChanged(seed, 5, 5);
            handler.blockAccount(seed);
        }
        vm.assertEq(handler.paidCount(), 12, "payouts");
        vm.assertEq(handler.repeatedCount(), 12, "repeated payouts");
        invariant_everyBalanceIsWhatThePayoutsSay();
    }
}
