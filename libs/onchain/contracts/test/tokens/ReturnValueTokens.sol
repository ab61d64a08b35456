// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SandboxToken} from "../../SandboxToken.sol";

/// @dev transferFrom returns nothing, like USDT on Ethereum. It does not inherit ERC20, because a Solidity override
/// must keep the return value.
contract NoReturnToken {
    mapping(address account => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// @dev Transfers nothing, and reports this only by its return value.
contract FalseReturningToken is SandboxToken("False", "FALSE", 6) {
    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// @dev Transfers, but returns false.
contract TransfersAndReturnsFalseToken is SandboxToken("Confused", "CONF", 6) {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        return false;
    }
}

/// @dev Always reverts with its own reason.
contract RevertingToken is SandboxToken("Reverting", "REV", 6) {
    error Paused();

    function transferFrom(address, address, uint256) public pure override returns (bool) {
        revert Paused();
    }
}
