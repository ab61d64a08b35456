// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {SandboxToken} from "../SandboxToken.sol";
import {Vm} from "./PaymentTest.sol";

/// @dev Runs random sequences of payments and tracks the expected balances. Four accounts are payers and receivers, so
/// that funds circulate. They own far more than one sequence can spend.
contract PaymentHandler {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant ACCOUNTS = 4;
    uint256 private constant MAX_SHARE = 1_000;

    TollbridgePay private immutable _tollbridge;
    SandboxToken private immutable _token;
    PaymentOrder[] private _paidOrders;

    mapping(address tokenInAddress => mapping(address account => uint256)) public owned;
    uint256 public rejections;
    uint256 public wronglyAccepted;
    uint256 public wronglyRejected;

    constructor(TollbridgePay tollbridge, SandboxToken token, uint256 funds) {
        _tollbridge = tollbridge;
        _token = token;
        for (uint256 i = 0; i < ACCOUNTS; i++) {
            owned[address(token)][account(i)] = funds;
            owned[address(0)][account(i)] = funds;
        }
    }

    function pay(uint256 seed, uint128 merchantAmount, uint128 feeAmount, bool native) external {
        (address payer, PaymentOrder memory order) = orderFor(seed, merchantAmount, feeAmount, native);

        vm.prank(payer);
        _tollbridge.pay{value: valueFor(order)}(order);

        mapping(address account => uint256) storage balances = owned[order.token_in_address];
        balances[payer] -= order.amount_in;
        balances[order.merchant] += order.merchant_amount;
        balances[order.fee_receiver] += order.fee_amount;
        _paidOrders.push(order);
    }

    function payAgain(uint256 seed) external {
        if (_paidOrders.length == 0) return;
        PaymentOrder memory order = _paidOrders[seed % _paidOrders.length];
        expectRejection(payerFor(order), order, valueFor(order), TollbridgePay.OrderAlreadyPaid.selector);
    }

    function payLate(uint256 seed, uint128 merchantAmount, uint128 feeAmount, bool native) external {
        (address payer, PaymentOrder memory order) = orderFor(seed, merchantAmount, feeAmount, native);
        order.deadline = uint64(block.timestamp - 1);
        expectRejection(payer, order, valueFor(order), TollbridgePay.OrderExpired.selector);
    }

    function payWithWrongShares(uint256 seed, uint128 merchantAmount, uint128 feeAmount, bool native) external {
        (address payer, PaymentOrder memory order) = orderFor(seed, merchantAmount, feeAmount, native);
        order.merchant_amount++;
        expectRejection(payer, order, valueFor(order), TollbridgePay.AmountsDoNotAddUp.selector);
    }

    function payWithWrongValue(uint256 seed, uint128 merchantAmount, uint128 feeAmount, bool native) external {
        (address payer, PaymentOrder memory order) = orderFor(seed, merchantAmount, feeAmount, native);
        expectRejection(payer, order, valueFor(order) + 1, TollbridgePay.WrongNativeValue.selector);
    }

    function paidCount() external view returns (uint256) {
        return _paidOrders.length;
    }

    function accountCount() external pure returns (uint256) {
        return ACCOUNTS;
    }

    function account(uint256 index) public pure returns (address) {
        return address(uint160(0xACC0000 + index));
    }

    /// @dev A third of the orders has no fee. A third pays the fee to the merchant, and a third to another account.
    function orderFor(
        uint256 seed,
        uint256 merchantAmount,
        uint256 feeAmount,
        bool native
    ) private view returns (address payer, PaymentOrder memory order) {
        uint256 first = seed % ACCOUNTS;
        payer = account(first);
        order.order_id = bytes16(uint128(_paidOrders.length + 1));
        order.token_in_address = native ? address(0) : address(_token);
        order.merchant = account((first + 1) % ACCOUNTS);
        order.merchant_amount = 1 + (merchantAmount % MAX_SHARE);
        order.fee_amount = seed % 3 == 0 ? 0 : feeAmount % MAX_SHARE;
        order.fee_receiver = seed % 3 == 1 ? order.merchant : account((first + 2) % ACCOUNTS);
        order.amount_in = order.merchant_amount + order.fee_amount;
        order.deadline = uint64(block.timestamp);
    }

    function valueFor(PaymentOrder memory order) private pure returns (uint256) {
        return order.token_in_address == address(0) ? order.amount_in : 0;
    }

    function payerFor(PaymentOrder memory order) private pure returns (address) {
        for (uint256 i = 0; i < ACCOUNTS; i++) {
            if (account(i) != order.merchant && account(i) != order.fee_receiver) return account(i);
        }
        revert("every account is a receiver");
    }

    function expectRejection(address payer, PaymentOrder memory order, uint256 value, bytes4 reason) private {
        vm.prank(payer);
        try _tollbridge.pay{value: value}(order) {
            wronglyAccepted++;
        } catch (bytes memory actual) {
            if (bytes4(actual) == reason) rejections++;
            else wronglyRejected++;
        }
    }
}
