// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The functions of Permit2 that the proxies call.
interface IPermit2Transfer {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// @notice The permit function of EIP-2612.
interface IPermitToken {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

/// @notice Base contract of the two proxies.
abstract contract SandboxX402Proxy {
    /// @notice An EIP-2612 permit for Permit2 as the spender.
    struct EIP2612Permit {
        uint256 value;
        uint256 deadline;
        bytes32 r;
        bytes32 s;
        uint8 v;
    }

    IPermit2Transfer public constant PERMIT2 = IPermit2Transfer(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    event Settled();
    event SettledWithPermit();

    error InvalidAmount();
    error InvalidDestination();
    error InvalidOwner();
    error PaymentTooEarly();
    error Permit2612AmountMismatch();

    function _permit(EIP2612Permit calldata given, IPermit2Transfer.PermitTransferFrom calldata permit, address owner)
        internal
    {
        if (given.value != permit.permitted.amount) revert Permit2612AmountMismatch();
        // Another account may have used the permit already. The allowance then exists.
        try IPermitToken(permit.permitted.token).permit(
            owner, address(PERMIT2), given.value, given.deadline, given.v, given.r, given.s
        ) {} catch {}
    }

    function _check(address owner, address to, uint256 validAfter, uint256 amount) internal view {
        if (owner == address(0)) revert InvalidOwner();
        if (to == address(0)) revert InvalidDestination();
        if (amount == 0) revert InvalidAmount();
        if (block.timestamp < validAfter) revert PaymentTooEarly();
    }
}
