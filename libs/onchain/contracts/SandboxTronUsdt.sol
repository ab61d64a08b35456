// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SandboxToken} from "./SandboxToken.sol";

/// @title SandboxTronUsdt
/// @notice Represents Tether's token on Tron in the sandbox and in tests. transfer returns false although it succeeds,
/// and transferFrom returns true. The issuer can enable a fee that the receiver pays. Worthless: do not deploy it
/// elsewhere.
contract SandboxTronUsdt is SandboxToken("Tether USD", "USDT", 6) {
    uint256 private constant BASIS_POINTS = 10_000;

    /// @notice The fee in basis points. Initially zero, as on Tron today.
    uint256 public basisPointsRate;
    /// @notice The highest fee of one transfer.
    uint256 public maximumFee;

    /// @notice Changes the fee. The issuer is the minter, who also receives the fees.
    function setParams(uint256 newBasisPoints, uint256 newMaxFee) external {
        if (msg.sender != minter) revert NotMinter(msg.sender);
        (basisPointsRate, maximumFee) = (newBasisPoints, newMaxFee);
    }

    /// @notice Transfers the amount, and returns false although it succeeds.
    function transfer(address to, uint256 amount) public override returns (bool) {
        _transferWithFee(msg.sender, to, amount);
        return false;
    }

    /// @notice Transfers the amount, and returns true.
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _spendAllowance(from, msg.sender, amount);
        _transferWithFee(from, to, amount);
        return true;
    }

    /// @notice The fee of a transfer, which is deducted from the received amount.
    function calcFee(uint256 amount) public view returns (uint256) {
        uint256 fee = (amount * basisPointsRate) / BASIS_POINTS;
        return fee > maximumFee ? maximumFee : fee;
    }

    function _transferWithFee(address from, address to, uint256 amount) private {
        uint256 fee = calcFee(amount);
        _transfer(from, to, amount - fee);
        if (fee > 0) _transfer(from, minter, fee);
    }
}
