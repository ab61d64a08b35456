// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title WalletSignatureCheck
/// @notice Checks whether a contract wallet accepts a signature (ERC-1271), even if the wallet is not deployed yet
/// (ERC-6492). This contract is never deployed: its constructor runs in an `eth_call`, which discards all changes. It
/// returns one word: 0 for no wallet, 1 for rejected, 2 for accepted.
/// @dev Stricter than the reference of ERC-6492. It calls the factory only for a wallet without code, so that a call
/// cannot prepare an existing wallet. The result always has the same length, whatever the wallet returns.
contract WalletSignatureCheck {
    bytes4 private constant MAGIC = 0x1626ba7e;

    constructor(
        address wallet,
        bytes32 digest,
        bytes memory signature,
        address factory,
        bytes memory factoryCall
    ) {
        // The return data is ignored, because the code at the address afterwards shows the outcome.
        if (wallet.code.length == 0 && factory != address(0)) {
            assembly ("memory-safe") {
                pop(call(gas(), factory, 0, add(factoryCall, 32), mload(factoryCall), 0, 0))
            }
        }
        uint256 verdict = wallet.code.length == 0 ? 0 : _accepts(wallet, digest, signature) ? 2 : 1;
        assembly ("memory-safe") {
            mstore(0, verdict)
            return(0, 32)
        }
    }

    /// @dev The call is static, so a wallet reverts if it writes, deploys or destroys anything during the check.
    function _accepts(address wallet, bytes32 digest, bytes memory signature) private view returns (bool accepts) {
        bytes memory question = abi.encodeWithSelector(MAGIC, digest, signature);
        bytes32 magic = MAGIC;
        assembly ("memory-safe") {
            mstore(0, 0)
            let isAnswered := staticcall(gas(), wallet, add(question, 32), mload(question), 0, 32)
            accepts := and(isAnswered, and(eq(returndatasize(), 32), eq(mload(0), magic)))
        }
    }
}
