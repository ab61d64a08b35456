// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../../TollbridgePay.sol";
import {SandboxToken} from "../../SandboxToken.sol";

interface ITokensReceived {
    function tokensReceived() external;
}

/// @dev Calls a receiving contract after the transfer, like ERC-777.
contract CallbackToken is SandboxToken("Callback", "CALL", 6) {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        if (to.code.length > 0) ITokensReceived(to).tokensReceived();
        return true;
    }
}

/// @dev Tries to have one transfer counted for two orders. In the transfer of the outer order it transfers nothing.
/// Instead it pays another order of the same merchant and amount.
contract DoubleCountingToken is SandboxToken("Double", "DBL", 6) {
    TollbridgePay private immutable _tollbridge;
    PaymentOrder private _inner;
    bool private _entered;

    constructor(TollbridgePay tollbridge) {
        _tollbridge = tollbridge;
        _approve(address(this), address(tollbridge), type(uint256).max);
    }

    function setInnerOrder(PaymentOrder calldata inner) external {
        _inner = inner;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (_entered) return super.transferFrom(from, to, amount);
        _entered = true;
        _tollbridge.pay(_inner);
        return true;
    }
}
