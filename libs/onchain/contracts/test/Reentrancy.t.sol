// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {PaymentTest} from "./PaymentTest.sol";
import {CallbackToken, DoubleCountingToken, ITokensReceived} from "./tokens/CallbackTokens.sol";

/// @dev A merchant that tries to pay its next order while it is paid.
contract ReenteringMerchant is ITokensReceived {
    TollbridgePay private immutable _tollbridge;
    bool private immutable _swallowsFailure;
    PaymentOrder private _next;
    bytes public rejection;

    constructor(TollbridgePay tollbridge, bool swallowsFailure) {
        _tollbridge = tollbridge;
        _swallowsFailure = swallowsFailure;
    }

    function setNextOrder(PaymentOrder calldata next) external {
        _next = next;
    }

    function tokensReceived() external {
        _reenter(0);
    }

    receive() external payable {
        _reenter(msg.value);
    }

    function _reenter(uint256 value) private {
        try _tollbridge.pay{value: value}(_next) {} catch (bytes memory reason) {
            rejection = reason;
            if (!_swallowsFailure) revert("merchant gives up");
        }
    }
}

/// @dev A merchant that forwards its tokens immediately when it is paid.
contract ForwardingMerchant is ITokensReceived {
    CallbackToken private immutable _token;
    address private immutable _next;

    constructor(CallbackToken token, address next) {
        _token = token;
        _next = next;
    }

    function tokensReceived() external {
        _token.transfer(_next, _token.balanceOf(address(this)));
    }
}

contract ReentrancyTest is PaymentTest {
    bytes private guarded =
        abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);

    function test_tokenCallbackCannotPayTheSameOrderAgain() public {
        token = new CallbackToken();
        fund(PAYER);
        ReenteringMerchant merchant = new ReenteringMerchant(tollbridge, true);
        PaymentOrder memory order = orderTo(address(token), merchant);
        merchant.setNextOrder(order);

        payToken(PAYER, order);

        vm.assertEq(merchant.rejection(), guarded, "rejection");
        assertTokens(address(merchant), MERCHANT_AMOUNT);
        assertTokens(PAYER, PAYER_FUNDS - AMOUNT_IN);
    }

    function test_nativeReceiverCannotPayTheSameOrderAgain() public {
        ReenteringMerchant merchant = new ReenteringMerchant(tollbridge, true);
        PaymentOrder memory order = orderTo(NATIVE, merchant);
        merchant.setNextOrder(order);

        payNative(PAYER, order, AMOUNT_IN);

        vm.assertEq(merchant.rejection(), guarded, "rejection");
        assertNative(address(merchant), MERCHANT_AMOUNT);
    }

    function test_nativeReceiverCannotPayAnotherOrderFromInside() public {
        ReenteringMerchant merchant = new ReenteringMerchant(tollbridge, true);
        PaymentOrder memory next = nativeOrder();
        next.amount_in = MERCHANT_AMOUNT;
        next.merchant_amount = MERCHANT_AMOUNT;
        next.fee_amount = 0;
        merchant.setNextOrder(next);

        payNative(PAYER, orderTo(NATIVE, merchant), AMOUNT_IN);

        vm.assertEq(merchant.rejection(), guarded, "rejection");
        vm.assertFalse(tollbridge.paid(tollbridge.hashOrder(next)), "inner order paid");
    }

    function test_failingCallbackRevertsTheWholePayment() public {
        ReenteringMerchant merchant = new ReenteringMerchant(tollbridge, false);
        PaymentOrder memory order = orderTo(NATIVE, merchant);
        merchant.setNextOrder(order);

        assertRejected(
            order,
            AMOUNT_IN,
            abi.encodeWithSelector(TollbridgePay.NativeTransferFailed.selector, address(merchant))
        );
        assertNative(PAYER, PAYER_FUNDS);
    }

    /// @dev Only the guard prevents this; checks-effects-interactions does not. The two orders differ, and the balance
    /// check of each order counts the same transfer.
    function test_oneTransferIsNotCountedForTwoOrders() public {
        DoubleCountingToken double = new DoubleCountingToken(tollbridge);
        double.mint(address(double), AMOUNT_IN);
        token = double;
        PaymentOrder memory outer = withoutFee(1);
        double.setInnerOrder(withoutFee(2));

        assertRejected(outer, 0, guarded);
    }

    function test_rejectsAMerchantThatForwardsTokensFromInside() public {
        CallbackToken callback = new CallbackToken();
        token = callback;
        fund(PAYER);
        PaymentOrder memory order = tokenOrder();
        order.merchant = address(new ForwardingMerchant(callback, STRANGER));

        assertRejected(
            order,
            0,
            abi.encodeWithSelector(TollbridgePay.InexactTransfer.selector, order.merchant, MERCHANT_AMOUNT, 0)
        );
    }

    function test_guardIsReleasedAfterAPayment() public {
        payToken(PAYER, tokenOrder());
        payNative(PAYER, nativeOrder(), AMOUNT_IN);

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
        assertNative(MERCHANT, MERCHANT_AMOUNT);
    }

    function orderTo(
        address tokenInAddress,
        ReenteringMerchant merchant
    ) private pure returns (PaymentOrder memory order) {
        order = orderIn(tokenInAddress);
        order.merchant = address(merchant);
    }

    function withoutFee(uint128 orderId) private view returns (PaymentOrder memory order) {
        order = tokenOrder();
        order.order_id = bytes16(orderId);
        order.merchant_amount = AMOUNT_IN;
        order.fee_amount = 0;
    }
}
