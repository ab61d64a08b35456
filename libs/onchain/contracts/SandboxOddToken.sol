// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title SandboxOddToken
/// @notice A token with the habits that real ones have, each of which can be turned on: USDT on Ethereum refuses to
/// change an allowance that is not 0 and answers nothing, others answer false, or keep a tax. For tests only.
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

    /// @notice An allowance has to be withdrawn before it can be given anew.
    error ResetFirst();

    constructor(string memory symbol_, uint8 decimals_) {
        symbol = symbol_;
        decimals = decimals_;
    }

    /// @notice Anybody may change its habits: it is worth nothing.
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

    /// @dev What a function returns is fixed when it is compiled; this is not.
    function _answer() private view {
        if (answer == Answer.Nothing) return;
        uint256 said = answer == Answer.True ? 1 : 0;
        assembly ("memory-safe") {
            mstore(0, said)
            return(0, 32)
        }
    }
}
