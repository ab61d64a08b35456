// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {SandboxToken} from "../SandboxToken.sol";

/// @dev The few forge cheat codes that these tests use. forge-std is not published on npm by its authors.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function assertEq(uint256 actual, uint256 expected, string calldata what) external pure;
    function assertEq(address actual, address expected, string calldata what) external pure;
    function assertEq(bytes32 actual, bytes32 expected, string calldata what) external pure;
    function assertEq(bytes calldata actual, bytes calldata expected, string calldata what) external pure;
    function assertEq(string calldata actual, string calldata expected, string calldata what) external pure;
    function assertNotEq(bytes32 actual, bytes32 expected, string calldata what) external pure;
    function assertTrue(bool condition, string calldata what) external pure;
    function assertFalse(bool condition, string calldata what) external pure;
    function deal(address account, uint256 balance) external;
    function expectRevert(bytes calldata reason) external;
    function getRecordedLogs() external returns (Log[] memory);
    function prank(address sender) external;
    function recordLogs() external;
    function warp(uint256 timestamp) external;
}

/// @dev One payer, one merchant, one fee receiver, an honest token, and an order of 97 + 3 = 100.
abstract contract PaymentTest {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    address internal constant NATIVE = address(0);
    address internal constant PAYER = address(0xA11CE);
    address internal constant MERCHANT = address(0x3E8C4);
    address internal constant FEE_RECEIVER = address(0xFEE);
    address internal constant STRANGER = address(0x57A);
    uint256 internal constant PAYER_FUNDS = 1_000e6;
    uint256 internal constant AMOUNT_IN = 100e6;
    uint256 internal constant MERCHANT_AMOUNT = 97e6;
    uint256 internal constant FEE_AMOUNT = 3e6;
    uint64 internal constant DEADLINE = 1_800_000_000;

    TollbridgePay internal tollbridge;
    SandboxToken internal token;

    function setUp() public virtual {
        vm.warp(DEADLINE - 600);
        tollbridge = new TollbridgePay();
        token = new SandboxToken("Tether USD", "USDT", 6);
        fund(PAYER);
    }

    function fund(address account) internal {
        token.mint(account, PAYER_FUNDS);
        vm.prank(account);
        token.approve(address(tollbridge), type(uint256).max);
        vm.deal(account, PAYER_FUNDS);
    }

    function orderIn(address tokenInAddress) internal pure returns (PaymentOrder memory) {
        return
            PaymentOrder({
                order_id: bytes16(0x018f3b2c7d4e7a119c5500d1e2f30415),
                token_in: "USDT",
                token_out: "USDC",
                amount_in: AMOUNT_IN,
                token_in_address: tokenInAddress,
                merchant: MERCHANT,
                merchant_amount: MERCHANT_AMOUNT,
                fee_receiver: FEE_RECEIVER,
                fee_amount: FEE_AMOUNT,
                deadline: DEADLINE
            });
    }

    function tokenOrder() internal view returns (PaymentOrder memory) {
        return orderIn(address(token));
    }

    function nativeOrder() internal pure returns (PaymentOrder memory) {
        return orderIn(NATIVE);
    }

    function payToken(address payer, PaymentOrder memory order) internal {
        vm.prank(payer);
        tollbridge.pay(order);
    }

    function payNative(address payer, PaymentOrder memory order, uint256 value) internal {
        vm.prank(payer);
        tollbridge.pay{value: value}(order);
    }

    /// @dev Besides the reason, checks that the order can still be paid and that no receiver got a share.
    function assertRejected(PaymentOrder memory order, uint256 value, bytes memory reason) internal {
        uint256 tokensBefore = token.balanceOf(order.merchant) + token.balanceOf(order.fee_receiver);
        uint256 nativeBefore = order.merchant.balance + order.fee_receiver.balance;
        bool paidBefore = tollbridge.paid(tollbridge.hashOrder(order));

        vm.expectRevert(reason);
        payNative(PAYER, order, value);

        uint256 tokensAfter = token.balanceOf(order.merchant) + token.balanceOf(order.fee_receiver);
        uint256 nativeAfter = order.merchant.balance + order.fee_receiver.balance;
        vm.assertEq(tokensAfter, tokensBefore, "receivers' tokens after a rejection");
        vm.assertEq(nativeAfter, nativeBefore, "receivers' native coins after a rejection");
        vm.assertTrue(tollbridge.paid(tollbridge.hashOrder(order)) == paidBefore, "paid after a rejection");
    }

    function assertTokens(address account, uint256 expected) internal view {
        vm.assertEq(token.balanceOf(account), expected, "token balance");
    }

    function assertNative(address account, uint256 expected) internal view {
        vm.assertEq(account.balance, expected, "native balance");
    }
}
