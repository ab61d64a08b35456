// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentOrder, TollbridgePay} from "../TollbridgePay.sol";
import {PaymentTest} from "./PaymentTest.sol";

/// @dev Calldata that a correct client never sends.
contract MalformedCallsTest is PaymentTest {
    uint256 private constant WORD = 32;
    /// @dev The selector and the offset of the struct precede its fields.
    uint256 private constant FIELDS = 4 + WORD;
    uint256 private constant TOKEN_FIELD = 4;
    uint256 private constant MERCHANT_FIELD = 5;
    uint256 private constant FEE_RECEIVER_FIELD = 7;

    function test_rejectsCalldataThatIsCutOffAtAnyLength() public {
        bytes memory complete = abi.encodeCall(TollbridgePay.pay, (tokenOrder()));

        // The last string is padded with zeros, and calldata reads as zeros beyond its end. The order therefore ends
        // earlier.
        uint256 needed = complete.length - WORD + bytes(tokenOrder().token_out).length;
        for (uint256 length = 0; length < needed; length++) {
            vm.assertFalse(send(cut(complete, length)), "accepted calldata that is cut off");
        }
        assertTokens(MERCHANT, 0);
        vm.assertTrue(send(complete), "rejected the complete calldata");
        assertTokens(MERCHANT, MERCHANT_AMOUNT);
    }

    /// @dev A Tron address has 21 bytes with the prefix 0x41, but contracts expect 20 bytes. A client that forgets to
    /// remove the prefix must not pay an order with another hash.
    function test_rejectsAddressesWithTheTronPrefix() public {
        uint256[3] memory fields = [TOKEN_FIELD, MERCHANT_FIELD, FEE_RECEIVER_FIELD];
        for (uint256 i = 0; i < fields.length; i++) {
            bytes memory data = abi.encodeCall(TollbridgePay.pay, (tokenOrder()));
            data[FIELDS + fields[i] * WORD + 11] = 0x41;

            vm.assertFalse(send(data), "accepted an address of 21 bytes");
        }
        assertTokens(MERCHANT, 0);
    }

    function test_rejectsOffsetsBeyondTheCalldata() public {
        for (uint256 field = 1; field <= 2; field++) {
            bytes memory data = abi.encodeCall(TollbridgePay.pay, (tokenOrder()));
            data[FIELDS + field * WORD] = 0x7f;

            vm.assertFalse(send(data), "accepted an offset beyond the calldata");
        }
    }

    /// @dev Solidity compares offsets as signed numbers. A negative offset therefore reads as an empty string, which is
    /// another order.
    function test_aNegativeOffsetPaysAnotherOrder() public {
        for (uint256 field = 1; field <= 2; field++) {
            PaymentOrder memory withoutText = tokenOrder();
            if (field == 1) withoutText.token_in = "";
            else withoutText.token_out = "";
            bytes memory data = abi.encodeCall(TollbridgePay.pay, (tokenOrder()));
            data[FIELDS + field * WORD] = 0xff;

            vm.assertTrue(send(data), "rejected a negative offset");

            vm.assertTrue(tollbridge.paid(tollbridge.hashOrder(withoutText)), "the order without the text");
            vm.assertFalse(tollbridge.paid(tollbridge.hashOrder(tokenOrder())), "the order with the text");
        }
    }

    function test_countsTheSameOrderWithTrailingBytesOnce() public {
        bytes memory data = abi.encodeCall(TollbridgePay.pay, (tokenOrder()));

        vm.assertTrue(send(bytes.concat(data, hex"00")), "rejected trailing bytes");
        vm.assertFalse(send(data), "paid the same order twice");
        assertTokens(MERCHANT, MERCHANT_AMOUNT);
    }

    function send(bytes memory data) private returns (bool isAccepted) {
        vm.prank(PAYER);
        (isAccepted, ) = address(tollbridge).call(data);
    }

    function cut(bytes memory data, uint256 length) private pure returns (bytes memory start) {
        start = new bytes(length);
        for (uint256 i = 0; i < length; i++) start[i] = data[i];
    }
}
