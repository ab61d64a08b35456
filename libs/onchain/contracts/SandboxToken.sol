// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title SandboxToken
/// @notice Represents USDT, DAI and similar tokens on the local chains of the sandbox. Worthless: do not deploy it
/// elsewhere. Its deployer can mint, so that the sandbox's faucet can fund accounts.
contract SandboxToken is ERC20 {
    /// @notice The only account that can mint: the deployer.
    address public immutable minter;
    uint8 private immutable _decimals;

    /// @notice The caller is not the minter.
    error NotMinter(address caller);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_) {
        minter = msg.sender;
        _decimals = decimals_;
    }

    /// @notice Number of decimals, set at deployment.
    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    /// @notice Creates `amount` new units for `to`.
    function mint(address to, uint256 amount) external {
        if (msg.sender != minter) revert NotMinter(msg.sender);
        _mint(to, amount);
    }
}
