// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title SandboxWrappedEther
/// @notice Represents WETH on the local chains of the sandbox: every unit is backed by one unit of the native coin.
contract SandboxWrappedEther is ERC20 {
    /// @notice `account` wrapped `amount` of the native coin.
    event Deposit(address indexed account, uint256 amount);
    /// @notice `account` unwrapped `amount` of the native coin.
    event Withdrawal(address indexed account, uint256 amount);

    /// @notice The native coin could not be sent to `account`.
    error WithdrawalRefused(address account);

    constructor() ERC20("Wrapped Ether", "WETH") {}

    /// @notice Wraps a plain transfer of the native coin for its sender.
    receive() external payable {
        deposit();
    }

    /// @notice Wraps the native coin that is sent with the call.
    function deposit() public payable {
        _mint(msg.sender, msg.value);
        emit Deposit(msg.sender, msg.value);
    }

    /// @notice Burns `amount` of the token and returns the same amount of the native coin.
    function withdraw(uint256 amount) external {
        _burn(msg.sender, amount);
        (bool succeeded,) = msg.sender.call{value: amount}("");
        if (!succeeded) revert WithdrawalRefused(msg.sender);
        emit Withdrawal(msg.sender, amount);
    }
}
