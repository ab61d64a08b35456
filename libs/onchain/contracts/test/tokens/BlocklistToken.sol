// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SandboxToken} from "../../SandboxToken.sol";

/// @dev Rejects transfers to a blocked account, like USDC.
contract BlocklistToken is SandboxToken("Blocklist", "BLK", 6) {
    address private immutable _blocked;

    error AccountBlocked(address account);

    constructor(address blocked) {
        _blocked = blocked;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (to == _blocked) revert AccountBlocked(to);
        return super.transferFrom(from, to, amount);
    }
}
