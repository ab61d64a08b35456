// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title SandboxWrappedEther
/// @notice Stands for WETH on the local chains of the sandbox: every unit of it is backed by one of the coin.
contract SandboxWrappedEther is ERC20 {
    /// @notice `account` wrapped `amount` of the coin.
    event Deposit(address indexed account, uint256 amount);
    /// @notice `account` took `amount` of the coin back.
    event Withdrawal(address indexed account, uint256 amount);

    /// @notice The coin could not be paid out to `account`.
    error WithdrawalRefused(address account);

    constructor() ERC20("Wrapped Ether", "WETH") {}

    /// @notice A plain transfer of the coin is wrapped for its sender.
    receive() external payable {
        deposit();
    }

    /// @notice Wraps the coin that comes with the call.
    function deposit() public payable {
        _mint(msg.sender, msg.value);
        emit Deposit(msg.sender, msg.value);
    }

    /// @notice Gives `amount` of the coin back for as much of the token.
    function withdraw(uint256 amount) external {
        _burn(msg.sender, amount);
        (bool succeeded,) = msg.sender.call{value: amount}("");
        if (!succeeded) revert WithdrawalRefused(msg.sender);
        emit Withdrawal(msg.sender, amount);
    }
}
