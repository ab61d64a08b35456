// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SandboxDepositCollector} from "./SandboxDepositCollector.sol";
import {IPermit2Transfer, IPermitToken} from "./SandboxX402Proxy.sol";

/// @title SandboxPermit2Collector
/// @notice Replaces Permit2DepositCollector on local chains.
contract SandboxPermit2Collector is SandboxDepositCollector {
    IPermit2Transfer public constant PERMIT2 = IPermit2Transfer(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    string public constant DEPOSIT_WITNESS_TYPE_STRING =
        "DepositWitness witness)DepositWitness(bytes32 channelId)TokenPermissions(address token,uint256 amount)";
    bytes32 public constant DEPOSIT_WITNESS_TYPEHASH = keccak256("DepositWitness(bytes32 channelId)");

    error Permit2612AmountMismatch();

    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata collectorData)
        external
        onlyBatchSettlement
    {
        (uint256 nonce, uint256 deadline, bytes memory signature, bytes memory permitData) =
            abi.decode(collectorData, (uint256, uint256, bytes, bytes));
        if (permitData.length > 0) _permit(payer, token, amount, permitData);
        PERMIT2.permitWitnessTransferFrom(
            IPermit2Transfer.PermitTransferFrom(IPermit2Transfer.TokenPermissions(token, amount), nonce, deadline),
            IPermit2Transfer.SignatureTransferDetails(x402BatchSettlement, amount),
            payer,
            keccak256(abi.encode(DEPOSIT_WITNESS_TYPEHASH, channelId)),
            DEPOSIT_WITNESS_TYPE_STRING,
            signature
        );
    }

    function _permit(address payer, address token, uint256 amount, bytes memory permitData) private {
        (uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) =
            abi.decode(permitData, (uint256, uint256, uint8, bytes32, bytes32));
        if (value != amount) revert Permit2612AmountMismatch();
        // Another account may have used the permit already. The allowance then exists.
        try IPermitToken(token).permit(payer, address(PERMIT2), value, deadline, v, r, s) {} catch {}
    }
}
