// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @notice What is used of Permit2 (https://github.com/Uniswap/permit2), which moves an owner's tokens by his signature.
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

/// @notice Who gets how much of the token, in its smallest unit.
struct Recipient {
    address account;
    uint256 amount;
}

/// @notice One batch of a payout, beside its recipients.
/// @param payoutId The payout's UUID, padded to 32 bytes.
/// @param index Which batch of the payout it is, from 0.
/// @param token The ERC-20 token that is paid.
/// @param fee What the relaying platform gets when every recipient is paid, beside the amounts.
/// @param deadline The last Unix second at which it can be paid.
struct Batch {
    bytes32 payoutId;
    uint256 index;
    address token;
    uint256 fee;
    uint256 deadline;
}

/// @title TollbridgePayouts
/// @notice Pays many recipients what the owner of the money has signed, each once. Anybody may relay it; nobody can
/// change it. Whom the token refuses does not stop the others: his amount goes back to the owner. It has no owner,
/// cannot be upgraded and never keeps funds.
contract TollbridgePayouts is ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice Permit2, at the address that it has on every chain.
    ISignatureTransfer public constant PERMIT2 =
        ISignatureTransfer(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    /// @notice Gas of one transfer, no more and no less: whether somebody is refused is up to the token alone, not to
    /// who relays with too little gas, and a recipient whose code burns gas stops nobody else.
    uint256 public constant TRANSFER_GAS = 300_000;

    // A call gets at most 63 of 64 parts of what is left, and what follows it needs some too.
    uint256 private constant GAS_BEFORE_TRANSFER = TRANSFER_GAS + TRANSFER_GAS / 32 + 20_000;

    bytes32 private constant RECIPIENT_TYPEHASH = keccak256("Recipient(address account,uint256 amount)");
    bytes32 private constant PAYOUT_TYPEHASH =
        keccak256(
            "Payout(bytes32 payoutId,uint256 batch,Recipient[] recipients,uint256 fee)Recipient(address account,uint256 amount)"
        );
    // How Permit2 ends the type of what is signed: the whole list stands in it, so wallets show who gets what.
    string private constant WITNESS_TYPE =
        "Payout witness)Payout(bytes32 payoutId,uint256 batch,Recipient[] recipients,uint256 fee)Recipient(address account,uint256 amount)TokenPermissions(address token,uint256 amount)";

    /// @notice Who gets the fees.
    address public immutable feeRecipient;

    /// @notice A recipient has got his amount.
    event RecipientPaid(
        bytes32 indexed payoutId,
        uint256 indexed batch,
        uint256 place,
        address account,
        uint256 amount
    );
    /// @notice The token did not let a recipient be paid; his amount went back to the owner.
    event RecipientRefused(
        bytes32 indexed payoutId,
        uint256 indexed batch,
        uint256 place,
        address account,
        uint256 amount
    );
    /// @notice A batch was paid. `witness` is the hash of what was signed of it: payout, index, recipients and fee.
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
    /// @notice There is nobody to be paid.
    error NoRecipients();
    /// @notice The money would be lost: the zero address or this contract, or there is nothing to be paid.
    error InvalidRecipient(uint256 place);
    /// @notice Too little gas was sent along to judge by the next transfer; nothing was paid.
    error NotEnoughGas();
    /// @notice The token moved another amount than it was told to; nothing was paid.
    error InexactTransfer(uint256 expectedBalance, uint256 actualBalance);

    /// @param feeRecipient_ Who gets the fees, for ever.
    constructor(address feeRecipient_) {
        if (feeRecipient_ == address(0)) revert InvalidFeeRecipient();
        feeRecipient = feeRecipient_;
    }

    /// @notice Pays a batch with the owner's money, which he has allowed Permit2 to move. Each batch of a payout can be
    /// paid once for an owner: Permit2's nonce follows from its payout and index. The fee is charged for what was paid:
    /// of it the share of what was refused, rounded down, goes back to the owner with the amounts.
    /// @param batch The batch.
    /// @param recipients Who gets how much.
    /// @param owner Whose money it is.
    /// @param signature His signature of the whole, as Permit2 wants it.
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

        uint256 refused = _payEach(batch, recipients);
        uint256 fee = _payRest(batch, owner, total, refused);
        // Also what a token only said that it did, or did beyond what it was told.
        _requireBalance(batch.token, balanceBefore);
        _tell(batch, owner, witness, total - refused, refused, fee);
    }

    /// @notice The hash of what an owner signs of a batch beside token, amount, nonce and deadline.
    /// @param batch The batch.
    /// @param recipients Who gets how much.
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
    /// @param index Which batch of it.
    /// @return The nonce, of which Permit2 takes each once for each owner.
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
    ) private returns (uint256 refused) {
        for (uint256 i = 0; i < recipients.length; i++) {
            (address account, uint256 amount) = (recipients[i].account, recipients[i].amount);
            if (gasleft() < GAS_BEFORE_TRANSFER) revert NotEnoughGas();
            if (_tryTransfer(batch.token, account, amount)) {
                emit RecipientPaid(batch.payoutId, batch.index, i, account, amount);
            } else {
                refused += amount;
                emit RecipientRefused(batch.payoutId, batch.index, i, account, amount);
            }
        }
    }

    /// @dev True when the call succeeds and answers nothing or true. No more than a word of the answer is copied.
    function _tryTransfer(address token, address account, uint256 amount) private returns (bool isPaid) {
        bytes memory transferCall = abi.encodeCall(IERC20.transfer, (account, amount));
        uint256 transferGas = TRANSFER_GAS;
        assembly ("memory-safe") {
            mstore(0, 0)
            isPaid := call(transferGas, token, 0, add(transferCall, 32), mload(transferCall), 0, 32)
            isPaid := and(isPaid, or(iszero(returndatasize()), and(gt(returndatasize(), 31), eq(mload(0), 1))))
        }
    }

    /// @dev What was refused goes back with its share of the fee, and the rest of the fee to who relays for it.
    function _payRest(
        Batch calldata batch,
        address owner,
        uint256 total,
        uint256 refused
    ) private returns (uint256 fee) {
        uint256 feeBack = (batch.fee * refused) / total;
        fee = batch.fee - feeBack;
        if (refused > 0) IERC20(batch.token).safeTransfer(owner, refused + feeBack);
        if (fee > 0) IERC20(batch.token).safeTransfer(feeRecipient, fee);
    }

    function _tell(
        Batch calldata batch,
        address owner,
        bytes32 witness,
        uint256 paid,
        uint256 refused,
        uint256 fee
    ) private {
        emit BatchPaid(batch.payoutId, batch.index, owner, batch.token, witness, paid, refused, fee);
    }

    function _requireBalance(address token, uint256 expected) private view {
        uint256 actual = IERC20(token).balanceOf(address(this));
        if (actual != expected) revert InexactTransfer(expected, actual);
    }
}
