// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title SandboxOddToken
/// @notice A token with optional behaviours of real tokens. USDT on Ethereum rejects changing a non-zero allowance and
/// returns nothing. Other tokens return false, or deduct a tax from a transfer. For tests only.
contract SandboxOddToken {
    enum Answer {
        True,
        Nothing,
        False
    }

    string public symbol;
    uint8 public immutable decimals;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    bool public wantsReset;
    Answer public answer;
    uint256 public taxBps;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @notice A non-zero allowance must be reset to zero before it is changed.
    error ResetFirst();

    constructor(string memory symbol_, uint8 decimals_) {
        symbol = symbol_;
        decimals = decimals_;
    }

    /// @notice Any account may change the behaviours, because the token is worthless.
    function behave(bool wantsReset_, Answer answer_, uint256 taxBps_) external {
        (wantsReset, answer, taxBps) = (wantsReset_, answer_, taxBps_);
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external {
        if (wantsReset && amount != 0 && allowance[msg.sender][spender] != 0) revert ResetFirst();
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        _answer();
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
        _answer();
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        _answer();
    }

    function _move(address from, address to, uint256 amount) private {
        uint256 tax = (amount * taxBps) / 10_000;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - tax;
        emit Transfer(from, to, amount - tax);
    }

    /// @dev Solidity fixes return values at compile time, so assembly returns this one.
    function _answer() private view {
        if (answer == Answer.Nothing) return;
        uint256 said = answer == Answer.True ? 1 : 0;
        assembly ("memory-safe") {
            mstore(0, said)
            return(0, 32)
        }
    }
}
