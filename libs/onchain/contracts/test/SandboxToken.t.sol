// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SandboxToken} from "../SandboxToken.sol";
import {PaymentTest} from "./PaymentTest.sol";

contract SandboxTokenTest is PaymentTest {
    function test_hasTheNameSymbolAndDecimalsOfItsDeployment() public view {
        vm.assertEq(token.name(), "Tether USD", "name");
        vm.assertEq(token.symbol(), "USDT", "symbol");
        vm.assertEq(token.decimals(), 6, "decimals");
        vm.assertEq(token.minter(), address(this), "minter");
    }

    function test_onlyItsDeployerMints() public {
        vm.expectRevert(abi.encodeWithSelector(SandboxToken.NotMinter.selector, STRANGER));
        vm.prank(STRANGER);
        token.mint(STRANGER, 1);
    }
}
