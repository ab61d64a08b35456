// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SandboxToken} from "../../SandboxToken.sol";

/// @dev Burns 1 % of each transfer.
contract FeeOnTransferToken is SandboxToken("Taxed", "TAX", 6) {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        _burn(to, amount / 100);
        return true;
    }
}

/// @dev Taxes only one receiver, so that the other receiver gets the full share.
contract TaxesOneReceiverToken is SandboxToken("Taxes one", "TAX1", 6) {
    address private immutable _taxed;

    constructor(address taxed) {
        _taxed = taxed;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        if (to == _taxed) _burn(to, 1);
        return true;
    }
}

/// @dev Transfers one unit more than requested.
contract BonusToken is SandboxToken("Bonus", "BON", 6) {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        _mint(to, 1);
        return true;
    }
}

/// @dev Returns true without transferring.
contract LyingToken is SandboxToken("Lying", "LIE", 6) {
    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return true;
    }
}

/// @dev Reverses the first transfer during the second one.
contract RevokingToken is SandboxToken("Revocation", "RVOC", 6) {
    address private _firstReceiver;
    uint256 private _firstAmount;

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        if (_firstReceiver == address(0)) {
            (_firstReceiver, _firstAmount) = (to, amount);
        } else {
            _transfer(_firstReceiver, from, _firstAmount);
        }
        return true;
    }
}
