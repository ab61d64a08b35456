// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {SandboxTronUsdt} from "../SandboxTronUsdt.sol";
import {PaymentTest} from "./PaymentTest.sol";

/// @dev Tether's token on Tron. Its transfer returns false, and its fee is disabled today.
contract TronUsdtTest is PaymentTest {
    SandboxTronUsdt private usdt;

    function setUp() public override {
        super.setUp();
        usdt = new SandboxTronUsdt();
        token = usdt;
        fund(PAYER);
    }

    /// @dev Without this test, the tests below would also pass with an honest token.
    function test_theTokenReturnsFalseForATransferThatSucceeded() public {
        vm.prank(PAYER);
        bool result = usdt.transfer(STRANGER, 1);

        vm.assertFalse(result, "result of transfer");
        assertTokens(STRANGER, 1);
    }

    function test_acceptsAPayment() public {
        payToken(PAYER, tokenOrder());

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
        assertTokens(FEE_RECEIVER, FEE_AMOUNT);
        assertTokens(PAYER, PAYER_FUNDS - AMOUNT_IN);
    }

    function test_rejectsAPaymentAfterTheIssuerSwitchedFeesOn() public {
        usdt.setParams(10, 50);

        assertRejected(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, MERCHANT_AMOUNT - 50));
        assertTokens(PAYER, PAYER_FUNDS);
    }

    function test_rejectsAFeeOfOneUnit() public {
        usdt.setParams(1, 1);

        assertRejected(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, MERCHANT_AMOUNT - 1));
    }

    /// @dev The issuer receives the fees of both transfers. As the merchant it therefore receives more than its share.
    function test_rejectsFeesThatGoToTheMerchant() public {
        usdt.setParams(10, 50);
        PaymentOrder memory order = tokenOrder();
        order.merchant = address(this);

        assertRejected(order, 0, inexact(address(this), MERCHANT_AMOUNT, MERCHANT_AMOUNT + 50));
    }

    function test_acceptsAPaymentWithFeesThatRoundDownToZero() public {
        usdt.setParams(1, 50);
        PaymentOrder memory order = tokenOrder();
        (order.merchant_amount, order.fee_amount, order.amount_in) = (9_999, 9_999, 19_998);

        payToken(PAYER, order);

        assertTokens(MERCHANT, 9_999);
        assertTokens(FEE_RECEIVER, 9_999);
    }

    function test_acceptsTheRejectedOrderAfterTheFeesWereSwitchedOff() public {
        usdt.setParams(10, 50);
        assertRejected(tokenOrder(), 0, inexact(MERCHANT, MERCHANT_AMOUNT, MERCHANT_AMOUNT - 50));
        usdt.setParams(0, 0);

        payToken(PAYER, tokenOrder());

        assertTokens(MERCHANT, MERCHANT_AMOUNT);
    }

    function testFuzz_paysExactlyOrNothing(uint32 merchantAmount, uint32 feeAmount, uint16 rate, uint32 cap) public {
        usdt.setParams(rate % 10_000, cap);
        PaymentOrder memory order = tokenOrder();
        order.merchant_amount = uint256(merchantAmount) + 1;
        order.fee_amount = feeAmount;
        order.amount_in = order.merchant_amount + order.fee_amount;
        usdt.mint(PAYER, order.amount_in);
        uint256 payerBefore = usdt.balanceOf(PAYER);
        bool isTaxed = usdt.calcFee(order.merchant_amount) > 0 || usdt.calcFee(order.fee_amount) > 0;

        vm.prank(PAYER);
        try tollbridge.pay(order) {
            vm.assertFalse(isTaxed, "a taxed payment was accepted");
            assertTokens(MERCHANT, order.merchant_amount);
            assertTokens(FEE_RECEIVER, order.fee_amount);
            assertTokens(PAYER, payerBefore - order.amount_in);
        } catch {
            vm.assertTrue(isTaxed, "an exact payment was rejected");
            assertTokens(MERCHANT, 0);
            assertTokens(FEE_RECEIVER, 0);
            assertTokens(PAYER, payerBefore);
        }
    }

    function inexact(address receiver, uint256 expected, uint256 actual) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TollbridgePay.InexactTransfer.selector, receiver, expected, actual);
    }
}
