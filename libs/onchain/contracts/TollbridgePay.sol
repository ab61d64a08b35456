// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @notice The order that the payer's wallet pays. The field names match the public API.
/// @param order_id The order's UUID as 16 bytes.
/// @param token_in Symbol of the pay token. Informative, but part of the order's identity.
/// @param token_out Symbol of the settle token. Informative, but part of the order's identity.
/// @param amount_in Total that the payer pays: merchant_amount + fee_amount.
/// @param token_in_address The ERC-20 token, or the zero address for the chain's native coin.
/// @param merchant Receiver of merchant_amount.
/// @param merchant_amount The merchant's share, above zero.
/// @param fee_receiver Receiver of fee_amount. May be the zero address when fee_amount is zero.
/// @param fee_amount The platform's share, may be zero.
/// @param deadline The last Unix second when the order can be paid.
struct PaymentOrder {
    bytes16 order_id;
    string token_in;
    string token_out;
    uint256 amount_in;
    address token_in_address;
    address merchant;
    uint256 merchant_amount;
    address fee_receiver;
    uint256 fee_amount;
    uint64 deadline;
}

/// @title TollbridgePay
/// @notice Pays an order only once and before its deadline. The merchant and the fee receiver get the exact amounts, or
/// the payment reverts. It has no owner, cannot be upgraded and never holds funds.
contract TollbridgePay is ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice Maximum length of token_in and of token_out. Asset names of all known schemes fit, since the longest has
    /// 64 bytes. Without a bound, an attacker could cheaply fill the event feed with huge logs.
    uint256 public constant MAX_TOKEN_NAME_BYTES = 128;

    /// @notice Whether an order, given by its hash, has been paid here.
    /// @dev The key is the hash of the whole order. With order_id alone, an attacker could block the real payment by
    /// paying one unit to themselves under a known id. Chain id and contract address are not part of the key. The order
    /// is not signed, so it cannot be replayed elsewhere. This mapping belongs to one contract on one chain.
    mapping(bytes32 orderHash => bool) public paid;

    /// @notice An order was paid. The event contains every field, and a backend must compare all of them. Any account
    /// may pay an invented order under a known order_id.
    event OrderPaid(
        bytes32 indexed orderHash,
        bytes16 indexed order_id,
        address indexed payer,
        string token_in,
        string token_out,
        uint256 amount_in,
        address token_in_address,
        address merchant,
        uint256 merchant_amount,
        address fee_receiver,
        uint256 fee_amount,
        uint64 deadline
    );

    /// @notice The deadline has passed.
    error OrderExpired(uint64 deadline);
    /// @notice This order was already paid.
    error OrderAlreadyPaid(bytes32 orderHash);
    /// @notice amount_in differs from merchant_amount + fee_amount.
    error AmountsDoNotAddUp(uint256 amountIn, uint256 merchantAmount, uint256 feeAmount);
    /// @notice The merchant would receive nothing.
    error ZeroMerchantAmount();
    /// @notice token_in or token_out is longer than MAX_TOKEN_NAME_BYTES.
    error TokenNameTooLong();
    /// @notice The receiver is the zero address or this contract, which would lose the funds.
    error InvalidReceiver(address receiver);
    /// @notice The payer is also a receiver, so the payment would have no effect.
    error PayerIsReceiver(address payer);
    /// @notice The native value sent with the call differs from the order's amount.
    error WrongNativeValue(uint256 expected, uint256 sent);
    /// @notice There is no contract at token_in_address.
    error TokenHasNoCode(address token);
    /// @notice The received amount differs from the requested one (fee on transfer, rebase, or a malicious token).
    error InexactTransfer(address receiver, uint256 expectedBalance, uint256 actualBalance);
    /// @notice The receiver rejected the native coin.
    error NativeTransferFailed(address receiver);

    /// @notice Pays `order` with the caller's funds. For an ERC-20 token, the caller must have approved amount_in for
    /// this contract. For the native coin, the call must send amount_in.
    /// @dev The reentrancy guard is needed although the order is marked as paid before any transfer. Amounts are
    /// verified by comparing balances. Without the guard, one transfer from a token's callback could count for both the
    /// outer and an inner order.
    /// @param order The order in the form that the Tollbridge API returns.
    function pay(PaymentOrder calldata order) external payable nonReentrant {
        _requirePayable(order);

        bytes32 orderHash = hashOrder(order);
        if (paid[orderHash]) revert OrderAlreadyPaid(orderHash);
        paid[orderHash] = true;

        if (order.token_in_address == address(0)) {
            _forwardNative(order);
        } else {
            _pullToken(order);
        }
        _emitOrderPaid(orderHash, order);
    }

    /// @notice The key of `order` in `paid`.
    /// @param order The order to hash.
    /// @return The keccak256 hash of the ABI-encoded order.
    function hashOrder(PaymentOrder calldata order) public pure returns (bytes32) {
        return keccak256(abi.encode(order));
    }

    function _requirePayable(PaymentOrder calldata order) private view {
        if (block.timestamp > order.deadline) revert OrderExpired(order.deadline);
        if (order.merchant_amount == 0) revert ZeroMerchantAmount();
        if (order.merchant_amount + order.fee_amount != order.amount_in) {
            revert AmountsDoNotAddUp(order.amount_in, order.merchant_amount, order.fee_amount);
        }
        if (bytes(order.token_in).length > MAX_TOKEN_NAME_BYTES) revert TokenNameTooLong();
        if (bytes(order.token_out).length > MAX_TOKEN_NAME_BYTES) revert TokenNameTooLong();

        _requireReceiver(order.merchant);
        if (order.fee_amount > 0) _requireReceiver(order.fee_receiver);
    }

    function _requireReceiver(address receiver) private view {
        if (receiver == address(0) || receiver == address(this)) revert InvalidReceiver(receiver);
        if (receiver == msg.sender) revert PayerIsReceiver(msg.sender);
    }

    /// @dev A receiver of both shares gets one transfer, so that one balance is compared with one sum.
    function _shares(
        PaymentOrder calldata order
    ) private pure returns (uint256 merchantShare, uint256 feeShare) {
        if (order.merchant == order.fee_receiver) return (order.amount_in, 0);
        return (order.merchant_amount, order.fee_amount);
    }

    function _forwardNative(PaymentOrder calldata order) private {
        if (msg.value != order.amount_in) revert WrongNativeValue(order.amount_in, msg.value);

        (uint256 merchantShare, uint256 feeShare) = _shares(order);
        _sendNative(order.merchant, merchantShare);
        if (feeShare > 0) _sendNative(order.fee_receiver, feeShare);
    }

    /// @dev Forwards all gas, because a fixed stipend would exclude smart-contract wallets.
    function _sendNative(address receiver, uint256 amount) private {
        (bool accepted, ) = receiver.call{value: amount}("");
        if (!accepted) revert NativeTransferFailed(receiver);
    }

    /// @dev Transfers from the payer directly to the receivers. Balances are compared after both transfers, so that a
    /// token cannot revert the first share during the second.
    function _pullToken(PaymentOrder calldata order) private {
        if (msg.value != 0) revert WrongNativeValue(0, msg.value);
        if (order.token_in_address.code.length == 0) revert TokenHasNoCode(order.token_in_address);

        IERC20 token = IERC20(order.token_in_address);
        (uint256 merchantShare, uint256 feeShare) = _shares(order);
        uint256 merchantExpected = token.balanceOf(order.merchant) + merchantShare;
        uint256 feeReceiverExpected = feeShare == 0 ? 0 : token.balanceOf(order.fee_receiver) + feeShare;

        token.safeTransferFrom(msg.sender, order.merchant, merchantShare);
        if (feeShare > 0) token.safeTransferFrom(msg.sender, order.fee_receiver, feeShare);

        _requireBalance(token, order.merchant, merchantExpected);
        if (feeShare > 0) _requireBalance(token, order.fee_receiver, feeReceiverExpected);
    }

    function _requireBalance(IERC20 token, address receiver, uint256 expected) private view {
        uint256 actual = token.balanceOf(receiver);
        if (actual != expected) revert InexactTransfer(receiver, expected, actual);
    }

    function _emitOrderPaid(bytes32 orderHash, PaymentOrder calldata order) private {
        emit OrderPaid(
            orderHash,
            order.order_id,
            msg.sender,
            order.token_in,
            order.token_out,
            order.amount_in,
            order.token_in_address,
            order.merchant,
            order.merchant_amount,
            order.fee_receiver,
            order.fee_amount,
            order.deadline
        );
    }
}
