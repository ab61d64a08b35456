// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A contract that a wallet may deploy during a signature check.
contract SandboxChild {}

/// @title SandboxWallet
/// @notice A contract wallet with one owner (ERC-1271), and with optional behaviours that try to fake an accepted
/// signature. For tests only.
contract SandboxWallet {
    enum Habit {
        Plain,
        AnswersOtherwise,
        Reverts,
        Loops,
        Deploys,
        Writes,
        AnswersMuch,
        RevertsWithMuch,
        Echoes,
        AnswersTooShort,
        AnswersWithMore,
        AcceptsTrials,
        AcceptsOnceTouched
    }

    address public immutable owner;
    Habit public immutable habit;
    /// @notice Number of calls of `touch`.
    uint256 public touched;

    constructor(address owner_, Habit habit_) {
        owner = owner_;
        habit = habit_;
    }

    /// @notice A call that an outsider may make instead of calling a factory.
    function touch() external {
        touched++;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external returns (bytes4) {
        if (habit == Habit.Plain) return _isOwners(digest, signature) ? this.isValidSignature.selector : bytes4(0);
        if (habit == Habit.AnswersOtherwise) return 0xffffffff;
        if (habit == Habit.Reverts) revert("no");
        if (habit == Habit.Deploys) new SandboxChild();
        if (habit == Habit.Writes) touched++;
        // Some wallets accept any signature in a simulation, for gas estimates.
        if (habit == Habit.AcceptsTrials) return tx.origin == address(0) ? this.isValidSignature.selector : bytes4(0);
        if (habit == Habit.AcceptsOnceTouched) return touched > 0 ? this.isValidSignature.selector : bytes4(0);
        while (habit == Habit.Loops) {}
        _answer(this.isValidSignature.selector);
        return this.isValidSignature.selector;
    }

    function _answer(bytes32 magic) private view {
        uint256 length = 0;
        if (habit == Habit.AnswersMuch || habit == Habit.RevertsWithMuch) length = 1_000_000;
        if (habit == Habit.AnswersTooShort) length = 4;
        if (habit == Habit.AnswersWithMore) length = 64;
        bool isEcho = habit == Habit.Echoes;
        bool isRevert = habit == Habit.RevertsWithMuch;
        assembly {
            mstore(0, magic)
            if isEcho {
                length := 32
                calldatacopy(0, 0, 32)
            }
            if isRevert { revert(0, length) }
            if length { return(0, length) }
        }
    }

    function _isOwners(bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (signature.length != 65) return false;
        address signer = ecrecover(
            digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64])
        );
        return signer != address(0) && signer == owner;
    }
}
