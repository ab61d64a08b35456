// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @notice The part of Permit2 that this contract uses (https://github.com/Uniswap/permit2). Permit2 transfers an
/// owner's tokens with the owner's signature.
interface ISignatureTransfer {
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
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// @notice A recipient and its amount, in the smallest unit of the token.
struct Recipient {
    address account;
    uint256 amount;
}

/// @notice One batch of a payout, without its recipients.
/// @param payoutId The payout's UUID, padded to 32 bytes.
/// @param index Number of the batch in the payout, from 0.
/// @param token The ERC-20 token to pay.
/// @param fee Fee of the relaying platform if every recipient is paid. It is added to the amounts.
/// @param deadline The last Unix second when the batch can be paid.
struct Batch {
    bytes32 payoutId;
    uint256 index;
    address token;
    uint256 fee;
    uint256 deadline;
}

/// @title TollbridgePayouts
/// @notice Pays many recipients exactly as the owner of the funds signed, and only once. Any account may relay the
/// payout, and no account can change it. If the token rejects a transfer, its amount is returned to the owner and the
/// other transfers continue. The contract has no owner, cannot be upgraded and never holds funds.
contract TollbridgePayouts is ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice Permit2, at its address on every chain.
    ISignatureTransfer public constant PERMIT2 =
        ISignatureTransfer(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    /// @notice Fixed gas limit of one transfer. Thus a transfer fails only because of the token, not because a relayer
    /// sends too little gas. A recipient with code that burns gas cannot stop the other transfers.
    uint256 public constant TRANSFER_GAS = 300_000;

    // A call receives at most 63/64 of the remaining gas, and the code after the call needs gas too.
    uint256 private constant GAS_BEFORE_TRANSFER = TRANSFER_GAS + TRANSFER_GAS / 32 + 20_000;

    bytes32 private constant RECIPIENT_TYPEHASH = keccak256("Recipient(address account,uint256 amount)");
    bytes32 private constant PAYOUT_TYPEHASH =
        keccak256(
            "Payout(bytes32 payoutId,uint256 batch,Recipient[] recipients,uint256 fee)Recipient(address account,uint256 amount)"
        );
    // Permit2's suffix of the signed type. It contains the whole list, so that wallets show every recipient and amount.
    string private constant WITNESS_TYPE =
        "Payout witness)Payout(bytes32 payoutId,uint256 batch,Recipient[] recipients,uint256 fee)Recipient(address account,uint256 amount)TokenPermissions(address token,uint256 amount)";

    /// @notice Receiver of the fees.
    address public immutable feeRecipient;

    /// @notice A recipient was paid.
    event RecipientPaid(
        bytes32 indexed payoutId,
        uint256 indexed batch,
        uint256 place,
        address account,
        uint256 amount
    );
    /// @notice The token rejected the transfer to a recipient, and the amount was returned to the owner.
    event RecipientRefused(
        bytes32 indexed payoutId,
        uint256 indexed batch,
        uint256 place,
        address account,
        uint256 amount
    );
    /// @notice A batch was paid. `witness` is the hash of the signed payout, index, recipients and fee.
    event BatchPaid(
        bytes32 indexed payoutId,
        uint256 indexed batch,
        address indexed owner,
        address token,
        bytes32 witness,
        uint256 paid,
        uint256 refused,
        uint256 fee
    );

    /// @notice The fee receiver is the zero address.
    error InvalidFeeRecipient();
    /// @notice The list of recipients is empty.
    error NoRecipients();
    /// @notice The recipient is the zero address or this contract, which would lose the funds, or the amount is zero.
    error InvalidRecipient(uint256 place);
    /// @notice The remaining gas does not suffice for the next transfer. No recipient was paid.
    error NotEnoughGas();
    /// @notice The transferred amount differs from the requested one. No recipient was paid.
    error InexactTransfer(uint256 expectedBalance, uint256 actualBalance);

    /// @param feeRecipient_ Permanent receiver of the fees.
    constructor(address feeRecipient_) {
        if (feeRecipient_ == address(0)) revert InvalidFeeRecipient();
        feeRecipient = feeRecipient_;
    }

    /// @notice Pays a batch with the owner's tokens, which the owner has approved to Permit2. An owner can pay each
    /// batch of a payout only once, because Permit2's nonce is derived from payout and index. The fee is charged only
    /// for paid recipients. The owner receives back the rejected amounts with their share of the fee, rounded down.
    /// @param batch The batch.
    /// @param recipients Recipients and amounts.
    /// @param owner Owner of the tokens.
    /// @param signature The owner's signature for Permit2. It covers the batch and the recipients.
    function payOut(
        Batch calldata batch,
        Recipient[] calldata recipients,
        address owner,
        bytes calldata signature
    ) external nonReentrant {
        uint256 total = _totalOf(recipients);
        uint256 balanceBefore = IERC20(batch.token).balanceOf(address(this));
        bytes32 witness = witnessOf(batch, recipients);
        _pull(batch, total + batch.fee, owner, witness, signature);
        _requireBalance(batch.token, balanceBefore + total + batch.fee);

        uint256 rejected = _payEach(batch, recipients);
        uint256 fee = _payRest(batch, owner, total, rejected);
        // Detects transfers that a token only reported, and transfers above the requested amount.
        _requireBalance(batch.token, balanceBefore);
        _emitBatchPaid(batch, owner, witness, total - rejected, rejected, fee);
    }

    /// @notice The hash that an owner signs for a batch, together with token, amount, nonce and deadline.
    /// @param batch The batch.
    /// @param recipients Recipients and amounts.
    /// @return The EIP-712 hash of the struct `Payout`.
    function witnessOf(Batch calldata batch, Recipient[] calldata recipients) public pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](recipients.length);
        for (uint256 i = 0; i < recipients.length; i++) {
            hashes[i] = keccak256(abi.encode(RECIPIENT_TYPEHASH, recipients[i].account, recipients[i].amount));
        }
        bytes32 list = keccak256(abi.encodePacked(hashes));
        return keccak256(abi.encode(PAYOUT_TYPEHASH, batch.payoutId, batch.index, list, batch.fee));
    }

    /// @notice The nonce of a batch in Permit2.
    /// @param payoutId The payout.
    /// @param index Number of the batch.
    /// @return The nonce. Permit2 accepts it once for each owner.
    function nonceOf(bytes32 payoutId, uint256 index) public pure returns (uint256) {
        return uint256(keccak256(abi.encode(payoutId, index)));
    }

    function _totalOf(Recipient[] calldata recipients) private view returns (uint256 total) {
        if (recipients.length == 0) revert NoRecipients();
        for (uint256 i = 0; i < recipients.length; i++) {
            (address account, uint256 amount) = (recipients[i].account, recipients[i].amount);
            if (account == address(0) || account == address(this) || amount == 0) revert InvalidRecipient(i);
            total += amount;
        }
    }

    function _pull(
        Batch calldata batch,
        uint256 amount,
        address owner,
        bytes32 witness,
        bytes calldata signature
    ) private {
        PERMIT2.permitWitnessTransferFrom(
            ISignatureTransfer.PermitTransferFrom({
                permitted: ISignatureTransfer.TokenPermissions({token: batch.token, amount: amount}),
                nonce: nonceOf(batch.payoutId, batch.index),
                deadline: batch.deadline
            }),
            ISignatureTransfer.SignatureTransferDetails({to: address(this), requestedAmount: amount}),
            owner,
            witness,
            WITNESS_TYPE,
            signature
        );
    }

    function _payEach(
        Batch calldata batch,
        Recipient[] calldata recipients
    ) private returns (uint256 rejected) {
        for (uint256 i = 0; i < recipients.length; i++) {
            (address account, uint256 amount) = (recipients[i].account, recipients[i].amount);
            if (gasleft() < GAS_BEFORE_TRANSFER) revert NotEnoughGas();
            if (_tryTransfer(batch.token, account, amount)) {
                emit RecipientPaid(batch.payoutId, batch.index, i, account, amount);
            } else {
                rejected += amount;
                emit RecipientRefused(batch.payoutId, batch.index, i, account, amount);
            }
        }
    }

    /// @dev Returns true if the call succeeds with an empty result or true. At most one word of the return data is
    /// copied.
    function _tryTransfer(address token, address account, uint256 amount) private returns (bool isPaid) {
        bytes memory transferCall = abi.encodeCall(IERC20.transfer, (account, amount));
        uint256 transferGas = TRANSFER_GAS;
        assembly ("memory-safe") {
            mstore(0, 0)
            isPaid := call(transferGas, token, 0, add(transferCall, 32), mload(transferCall), 0, 32)
            isPaid := and(isPaid, or(iszero(returndatasize()), and(gt(returndatasize(), 31), eq(mload(0), 1))))
        }
    }

    /// @dev Returns the rejected amounts with their share of the fee to the owner. Sends the rest of the fee to the fee
    /// recipient.
    function _payRest(
        Batch calldata batch,
        address owner,
        uint256 total,
        uint256 rejected
    ) private returns (uint256 fee) {
        uint256 returnedFee = (batch.fee * rejected) / total;
        fee = batch.fee - returnedFee;
        if (rejected > 0) IERC20(batch.token).safeTransfer(owner, rejected + returnedFee);
        if (fee > 0) IERC20(batch.token).safeTransfer(feeRecipient, fee);
    }

    function _emitBatchPaid(
        Batch calldata batch,
        address owner,
        bytes32 witness,
        uint256 paid,
        uint256 rejected,
        uint256 fee
    ) private {
        emit BatchPaid(batch.payoutId, batch.index, owner, batch.token, witness, paid, rejected, fee);
    }

    function _requireBalance(address token, uint256 expected) private view {
        uint256 actual = IERC20(token).balanceOf(address(this));
        if (actual != expected) revert InexactTransfer(expected, actual);
    }
}
