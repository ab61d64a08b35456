// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SandboxToken} from "../../SandboxToken.sol";
import {ITokensReceived} from "./CallbackTokens.sol";

/// @dev Rejects transfers to some recipients, in the configured way.
contract ChoosyToken is SandboxToken("Choosy", "CHO", 6) {
    enum Manner {
        Reverts,
        AnswersFalse,
        AnswersTwo,
        BurnsAllGas,
        AnswersMegabytes
    }
    mapping(address account => bool) public isBlocked;
    Manner public manner;

    error AccountBlocked(address account);

    function blockAccount(address account, Manner how) external {
        isBlocked[account] = true;
        manner = how;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (!isBlocked[to]) return super.transfer(to, amount);
        if (manner == Manner.Reverts) revert AccountBlocked(to);
        if (manner == Manner.AnswersFalse) return false;
        assembly ("memory-safe") {
            switch sload(manner.slot)
            case 2 {
                mstore(0, 2)
                return(0, 32)
            }
            case 3 {
                invalid()
            }
            default {
                revert(0, 100000)
            }
        }
    }
}

/// @dev Transfers an amount that differs from the reported one.
contract InexactTransferToken is SandboxToken("Inexact", "INX", 6) {
    enum Habit {
        None,
        TaxesWhoPulls,
        MovesNothing,
        MovesAndSaysNo,
        TakesMore
    }
    Habit public habit;

    function behave(Habit other) external {
        habit = other;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        if (habit == Habit.TaxesWhoPulls) _burn(to, 1);
        return true;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (habit == Habit.MovesNothing) return true;
        super.transfer(to, amount);
        if (habit == Habit.TakesMore) _burn(msg.sender, 1);
        return habit != Habit.MovesAndSaysNo;
    }
}

/// @dev Calls a receiving contract after a transfer, like ERC-777.
contract CallbackOnTransferToken is SandboxToken("Callback", "CALL", 6) {
    function transfer(address to, uint256 amount) public override returns (bool) {
        super.transfer(to, amount);
        if (to.code.length > 0) ITokensReceived(to).tokensReceived();
        return true;
    }
}

/// @dev Returns nothing from transfers, like USDT on Ethereum.
contract SilentToken is SandboxToken("Silent", "SIL", 6) {
    function transfer(address to, uint256 amount) public override returns (bool) {
        super.transfer(to, amount);
        assembly ("memory-safe") {
            return(0, 0)
        }
    }
}
