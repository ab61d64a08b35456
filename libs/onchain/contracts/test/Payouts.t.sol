// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Batch, Recipient, TollbridgePayouts} from "../TollbridgePayouts.sol";
import {IPermit2, PayoutTest, PayoutVm} from "./PayoutTest.sol";
import {ITokensReceived} from "./tokens/CallbackTokens.sol";
import {
    CallbackOnTransferToken,
    ChoosyToken,
    InexactTransferToken,
    SilentToken
} from "./tokens/PayoutTokens.sol";

/// @dev Accepts every signature of one digest.
contract ContractWallet {
    bytes32 private immutable _accepted;

    constructor(bytes memory accepted) {
        _accepted = keccak256(accepted);
    }

    function isValidSignature(bytes32, bytes calldata signature) external view returns (bytes4) {
        return keccak256(signature) == _accepted ? bytes4(0x1626ba7e) : bytes4(0);
    }
}

/// @dev A recipient that pays the same or another batch when it is paid.
contract ReenteringRecipient is ITokensReceived {
    TollbridgePayouts private immutable _payouts;
    bytes private _call;
    bytes public rejection;

    constructor(TollbridgePayouts payouts) {
        _payouts = payouts;
    }

    function setCall(bytes calldata call) external {
        _call = call;
    }

    function tokensReceived() external {
        (bool isDone, bytes memory answer) = address(_payouts).call(_call);
        if (!isDone) rejection = answer;
    }
}

contract PayoutsTest is PayoutTest {
    function test_paysEveryRecipientExactly() public {
        Recipient[] memory recipients = recipientsOf(3);
        pay(someBatch(), recipients);

        for (uint256 i = 0; i < 3; i++) assertHeld(recipients[i].account, recipients[i].amount);
        assertHeld(FEE_RECIPIENT, FEE);
        assertHeld(owner, FUNDS - 600_000 - FEE);
        assertHeld(address(payouts), 0);
    }

    function test_emitsAnEventForEachRecipient() public {
        Recipient[] memory recipients = recipientsOf(2);
        Batch memory batch = someBatch();
        vm.recordLogs();
        pay(batch, recipients);

        vm.assertEq(countOf(TollbridgePayouts.RecipientPaid.selector), 2, "events of paid recipients");
    }

    function test_paysARepeatedAddressForEachEntry() public {
        Recipient[] memory recipients = recipientsOf(2);
        recipients[1].account = recipients[0].account;
        pay(someBatch(), recipients);
        assertHeld(recipients[0].account, 300_000);
    }

    function test_paysABatchOnce() public {
        pay(someBatch(), recipientsOf(3));
        bytes memory signature = signed(someBatch(), recipientsOf(3));
        vm.expectRevert(abi.encodeWithSelector(IPermit2.InvalidNonce.selector));
        payouts.payOut(someBatch(), recipientsOf(3), owner, signature);
    }

    /// @dev A new signature does not help, because the nonce is derived from payout and index.
    function test_rejectsAPaidBatchWithOtherTerms() public {
        pay(someBatch(), recipientsOf(3));
        Batch memory batch = someBatch();
        batch.deadline += 100;
        batch.fee = 1;
        bytes memory signature = signed(batch, recipientsOf(2));
        vm.expectRevert(abi.encodeWithSelector(IPermit2.InvalidNonce.selector));
        payouts.payOut(batch, recipientsOf(2), owner, signature);
    }

    function test_paysAnotherBatchOfThePayout() public {
        pay(someBatch(), recipientsOf(1));
        Batch memory batch = someBatch();
        batch.index = 1;
        pay(batch, recipientsOf(1));
        assertHeld(accountOf(0), 200_000);
    }

    function test_rejectsABatchThatTheRelayerChanged() public {
        bytes memory signature = signed(someBatch(), recipientsOf(3));
        for (uint256 change = 0; change < 8; change++) {
            Batch memory batch = someBatch();
            Recipient[] memory recipients = recipientsOf(change == 0 ? 2 : change == 1 ? 4 : 3);
            if (change == 2) recipients[1].account = RELAYER;
            // The total stays the same.
            if (change == 3) (recipients[0].amount, recipients[1].amount) = (150_000, 150_000);
            if (change == 4) (recipients[2].amount, batch.fee) = (recipients[2].amount - 1, batch.fee + 1);
            if (change == 5) batch.index = 1;
            if (change == 6) batch.payoutId = bytes32(uint256(7));
            if (change == 7) batch.deadline += 1;
            vm.prank(RELAYER);
            vm.expectRevert(abi.encodeWithSelector(IPermit2.InvalidSigner.selector));
            payouts.payOut(batch, recipients, owner, signature);
        }
        assertUntouched();
    }

    function test_rejectsTheSignatureOfAnotherAccount() public {
        bytes memory signature = signedBy(0xBAD, someBatch(), recipientsOf(3));
        vm.expectRevert(abi.encodeWithSelector(IPermit2.InvalidSigner.selector));
        payouts.payOut(someBatch(), recipientsOf(3), owner, signature);
        assertUntouched();
    }

    function test_rejectsABatchAfterItsDeadline() public {
        bytes memory signature = signed(someBatch(), recipientsOf(3));
        vm.warp(DEADLINE + 1);
        vm.expectRevert(abi.encodeWithSelector(IPermit2.SignatureExpired.selector, DEADLINE));
        payouts.payOut(someBatch(), recipientsOf(3), owner, signature);
        assertUntouched();
    }

    function test_rejectsABatchThatTheOwnerCancelled() public {
        uint256 nonce = payouts.nonceOf(PAYOUT_ID, 0);
        vm.prank(owner);
        PERMIT2.invalidateUnorderedNonces(nonce >> 8, 1 << (nonce & 255));
        bytes memory signature = signed(someBatch(), recipientsOf(3));
        vm.expectRevert(abi.encodeWithSelector(IPermit2.InvalidNonce.selector));
        payouts.payOut(someBatch(), recipientsOf(3), owner, signature);
    }

    function test_verifiesTheSignatureOfAContractWallet() public {
        ContractWallet wallet = new ContractWallet("yes");
        token.mint(address(wallet), FUNDS);
        vm.prank(address(wallet));
        token.approve(address(PERMIT2), type(uint256).max);

        payouts.payOut(someBatch(), recipientsOf(3), address(wallet), "yes");
        assertHeld(address(wallet), FUNDS - 600_000 - FEE);
        Batch memory batch = someBatch();
        batch.index = 1;
        vm.expectRevert();
        payouts.payOut(batch, recipientsOf(3), address(wallet), "no");
    }

    function test_rejectsInvalidRecipientsBeforeAnyTransfer() public {
        expectRejection(recipientsOf(0), abi.encodeWithSelector(TollbridgePayouts.NoRecipients.selector));
        bytes memory second = abi.encodeWithSelector(TollbridgePayouts.InvalidRecipient.selector, 1);
        Recipient[] memory recipients = recipientsOf(3);
        recipients[1].account = address(0);
        expectRejection(recipients, second);
        recipients[1].account = address(payouts);
        expectRejection(recipients, second);
        recipients = recipientsOf(3);
        recipients[1].amount = 0;
        expectRejection(recipients, second);
    }

    function test_requiresAFeeRecipient() public {
        vm.expectRevert(abi.encodeWithSelector(TollbridgePayouts.InvalidFeeRecipient.selector));
        new TollbridgePayouts(address(0));
    }

    function test_paysTheOthersWhenTheTokenRejectsATransfer() public {
        for (uint256 manner = 0; manner < 5; manner++) {
            ChoosyToken choosy = new ChoosyToken();
            useToken(choosy);
            choosy.blockAccount(accountOf(1), ChoosyToken.Manner(manner));
            Batch memory batch = someBatch();
            batch.index = manner;
            vm.recordLogs();
            pay(batch, recipientsOf(3));

            vm.assertEq(countOf(TollbridgePayouts.RecipientRefused.selector), 1, "events of rejected recipients");
            assertHeld(accountOf(0), 100_000);
            assertHeld(accountOf(1), 0);
            assertHeld(accountOf(2), 300_000);
            // A third of the amounts was rejected, so a third of the fee is returned.
            assertHeld(FEE_RECIPIENT, 2_000);
            assertHeld(owner, FUNDS - 400_000 - 2_000);
            assertHeld(address(payouts), 0);
        }
    }

    function test_chargesNoFeeForRejectedTransfers() public {
        ChoosyToken choosy = new ChoosyToken();
        useToken(choosy);
        choosy.blockAccount(accountOf(0), ChoosyToken.Manner.Reverts);
        pay(someBatch(), recipientsOf(1));
        assertUntouched();
    }

    function test_roundsTheReturnedFeeDown() public {
        ChoosyToken choosy = new ChoosyToken();
        useToken(choosy);
        choosy.blockAccount(accountOf(0), ChoosyToken.Manner.Reverts);
        Batch memory batch = someBatch();
        batch.fee = 1;
        pay(batch, recipientsOf(3));
        assertHeld(FEE_RECIPIENT, 1);
        assertHeld(owner, FUNDS - 500_000 - 1);
    }

    function test_tooLittleGasRejectsNoTransfer() public {
        bytes memory signature = signed(someBatch(), recipientsOf(3));
        for (uint256 units = 150_000; units < 600_000; units += 5_000) {
            (bool isDone, ) = address(payouts).call{gas: units}(
                abi.encodeCall(payouts.payOut, (someBatch(), recipientsOf(3), owner, signature))
            );
            if (isDone) {
                for (uint256 i = 0; i < 3; i++) assertHeld(accountOf(i), (i + 1) * 100_000);
                return;
            }
            assertUntouched();
        }
        vm.assertTrue(false, "never paid");
    }

    function test_rejectsInexactTokens() public {
        InexactTransferToken inexact = new InexactTransferToken();
        useToken(inexact);
        for (uint256 habit = 1; habit < 5; habit++) {
            inexact.behave(InexactTransferToken.Habit(habit));
            bytes memory signature = signed(someBatch(), recipientsOf(3));
            vm.expectRevert();
            payouts.payOut(someBatch(), recipientsOf(3), owner, signature);
            assertUntouched();
        }
    }

    function test_acceptsATokenThatReturnsNothing() public {
        useToken(new SilentToken());
        pay(someBatch(), recipientsOf(3));
        assertHeld(accountOf(2), 300_000);
        assertHeld(FEE_RECIPIENT, FEE);
    }

    function test_rejectsATokenWithoutCode() public {
        Batch memory batch = someBatch();
        batch.token = address(0xDEAD);
        vm.expectRevert();
        payouts.payOut(batch, recipientsOf(1), owner, "");
    }

    function test_leavesTokensSentToTheContractUntouched() public {
        token.mint(address(payouts), 77);
        pay(someBatch(), recipientsOf(3));
        assertHeld(address(payouts), 77);
    }

    function test_rejectsAPayoutFromInsideATransfer() public {
        useToken(new CallbackOnTransferToken());
        ReenteringRecipient inside = new ReenteringRecipient(payouts);
        Recipient[] memory recipients = recipientsOf(2);
        recipients[0].account = address(inside);
        Batch memory next = someBatch();
        next.index = 1;
        bytes memory signature = signed(next, recipientsOf(1));
        inside.setCall(abi.encodeCall(payouts.payOut, (next, recipientsOf(1), owner, signature)));
        pay(someBatch(), recipients);

        bytes memory guarded =
            abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        vm.assertEq(uint256(keccak256(inside.rejection())), uint256(keccak256(guarded)), "rejection");
        assertHeld(address(inside), 100_000);
        assertHeld(owner, FUNDS - 300_000 - FEE);
    }

    /// @dev The gas of one recipient is the difference of these two tests in .gas-snapshot, divided by the difference
    /// in recipients.
    function test_gasOf1Recipient() public {
        pay(someBatch(), recipientsOf(1));
    }

    function test_gasOf150Recipients() public {
        token.mint(owner, FUNDS * 10);
        Recipient[] memory recipients = recipientsOf(150);
        bytes memory signature = signed(someBatch(), recipients);
        uint256 before = gasleft();
        payouts.payOut(someBatch(), recipients, owner, signature);
        uint256 used = before - gasleft();
        // EIP-7825: a transaction may use at most 2^24 gas.
        vm.assertTrue(used * 2 < 16_777_216, "gas of a full batch");
    }

    function testFuzz_moneyIsConserved(uint8 count, uint256 blockedBits, uint64 fee, uint256 seed) public {
        uint256 recipientCount = 1 + (count % 12);
        ChoosyToken choosy = new ChoosyToken();
        useToken(choosy);
        token.mint(owner, type(uint128).max);
        uint256 before = token.balanceOf(owner);
        Recipient[] memory recipients = recipientsOf(recipientCount);
        uint256 paid = 0;
        for (uint256 i = 0; i < recipientCount; i++) {
            recipients[i].amount = 1 + (uint256(keccak256(abi.encode(seed, i))) % 1e20);
            bool isBlocked = (blockedBits >> i) & 1 == 1;
            if (isBlocked) choosy.blockAccount(recipients[i].account, ChoosyToken.Manner.Reverts);
            else paid += recipients[i].amount;
        }
        Batch memory batch = someBatch();
        batch.fee = fee;
        pay(batch, recipients);

        uint256 total = totalOf(recipients);
        uint256 charged = fee - (uint256(fee) * (total - paid)) / total;
        for (uint256 i = 0; i < recipientCount; i++) {
            bool isBlocked = (blockedBits >> i) & 1 == 1;
            assertHeld(recipients[i].account, isBlocked ? 0 : recipients[i].amount);
        }
        assertHeld(FEE_RECIPIENT, charged);
        assertHeld(owner, before - paid - charged);
        assertHeld(address(payouts), 0);
    }

    function expectRejection(Recipient[] memory recipients, bytes memory reason) private {
        bytes memory signature = signed(someBatch(), recipients);
        vm.expectRevert(reason);
        payouts.payOut(someBatch(), recipients, owner, signature);
        assertUntouched();
    }

    function countOf(bytes32 topic) private returns (uint256 count) {
        PayoutVm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; i++) if (logs[i].topics[0] == topic) count++;
    }
}
