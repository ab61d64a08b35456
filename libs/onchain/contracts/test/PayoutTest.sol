// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Batch, ISignatureTransfer, Recipient, TollbridgePayouts} from "../TollbridgePayouts.sol";
import {SandboxToken} from "../SandboxToken.sol";

/// @dev The forge cheat codes of the payout tests.
interface PayoutVm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address);
    function assertEq(uint256 actual, uint256 expected, string calldata what) external pure;
    function assertTrue(bool condition, string calldata what) external pure;
    function expectRevert(bytes calldata reason) external;
    function expectRevert() external;
    function getRecordedLogs() external returns (Log[] memory);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function prank(address sender) external;
    function readFile(string calldata path) external view returns (string memory);
    function recordLogs() external;
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestamp) external;
}

interface IPermit2 is ISignatureTransfer {
    error InvalidNonce();
    error InvalidSigner();
    error SignatureExpired(uint256 deadline);

    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function invalidateUnorderedNonces(uint256 word, uint256 mask) external;
}

/// @dev Uniswap's own Permit2, an owner who approved all tokens to it, and a payout with a fee to three recipients.
abstract contract PayoutTest {
    PayoutVm internal constant vm = PayoutVm(address(uint160(uint256(keccak256("hevm cheat code")))));
    IPermit2 internal constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    string private constant PERMIT2_ARTIFACT =
        "../../node_modules/@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json";
    /// @dev Written independently, because a copy of the contract's string would repeat its mistakes.
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256(
            "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Payout witness)Payout(bytes32 payoutId,uint256 batch,Recipient[] recipients,uint256 fee)Recipient(address account,uint256 amount)TokenPermissions(address token,uint256 amount)"
        );
    bytes32 private constant PERMISSIONS_TYPEHASH =
        keccak256("TokenPermissions(address token,uint256 amount)");

    uint256 internal constant OWNER_KEY = 0xA11CE;
    address internal constant FEE_RECIPIENT = address(0xFEE);
    address internal constant RELAYER = address(0x4E1A);
    bytes32 internal constant PAYOUT_ID = bytes32(uint256(0x018f3b2c7d4e7a119c5500d1e2f30415));
    uint256 internal constant FEE = 3_000;
    uint256 internal constant FUNDS = 1_000e6;
    uint256 internal constant DEADLINE = 1_800_000_000;

    address internal owner;
    TollbridgePayouts internal payouts;
    SandboxToken internal token;

    function setUp() public virtual {
        vm.warp(DEADLINE - 600);
        deployPermit2();
        payouts = new TollbridgePayouts(FEE_RECIPIENT);
        owner = vm.addr(OWNER_KEY);
        useToken(new SandboxToken("Tether USD", "USDT", 6));
    }

    function useToken(SandboxToken other) internal {
        token = other;
        token.mint(owner, FUNDS);
        vm.prank(owner);
        token.approve(address(PERMIT2), type(uint256).max);
    }

    /// @dev The package contains Permit2 only inside a script, which deploys it to its address.
    function deployPermit2() private {
        bytes memory code = vm.parseJsonBytes(vm.readFile(PERMIT2_ARTIFACT), ".bytecode.object");
        address script;
        assembly ("memory-safe") {
            script := create(0, add(code, 32), mload(code))
        }
        (bool isDeployed, ) = script.call(abi.encodeWithSignature("deployPermit2()"));
        vm.assertTrue(isDeployed && address(PERMIT2).code.length > 0, "Permit2");
    }

    function someBatch() internal view returns (Batch memory) {
        return
            Batch({payoutId: PAYOUT_ID, index: 0, token: address(token), fee: FEE, deadline: DEADLINE});
    }

    function accountOf(uint256 place) internal pure returns (address) {
        return address(uint160(0xB0B0000 + place));
    }

    /// @dev Recipients of 100,000, 200,000, 300,000, … units.
    function recipientsOf(uint256 count) internal pure returns (Recipient[] memory recipients) {
        recipients = new Recipient[](count);
        for (uint256 i = 0; i < count; i++) recipients[i] = Recipient(accountOf(i), (i + 1) * 100_000);
    }

    function totalOf(Recipient[] memory recipients) internal pure returns (uint256 total) {
        for (uint256 i = 0; i < recipients.length; i++) total += recipients[i].amount;
    }

    function signed(Batch memory batch, Recipient[] memory recipients) internal view returns (bytes memory) {
        return signedBy(OWNER_KEY, batch, recipients);
    }

    function signedBy(
        uint256 key,
        Batch memory batch,
        Recipient[] memory recipients
    ) internal view returns (bytes memory) {
        bytes32 permissions = keccak256(
            abi.encode(PERMISSIONS_TYPEHASH, batch.token, totalOf(recipients) + batch.fee)
        );
        bytes32 permit = keccak256(
            abi.encode(
                PERMIT_TYPEHASH,
                permissions,
                address(payouts),
                payouts.nonceOf(batch.payoutId, batch.index),
                batch.deadline,
                payouts.witnessOf(batch, recipients)
            )
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", PERMIT2.DOMAIN_SEPARATOR(), permit));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function pay(Batch memory batch, Recipient[] memory recipients) internal {
        bytes memory signature = signed(batch, recipients);
        vm.prank(RELAYER);
        payouts.payOut(batch, recipients, owner, signature);
    }

    function assertHeld(address account, uint256 expected) internal view {
        vm.assertEq(token.balanceOf(account), expected, "tokens held");
    }

    /// @dev No recipient was paid.
    function assertUntouched() internal view {
        assertHeld(owner, FUNDS);
        assertHeld(FEE_RECIPIENT, 0);
        assertHeld(address(payouts), 0);
    }
}
