// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDepositCollector} from "./SandboxX402BatchSettlement.sol";

/// @notice Base contract of the collectors.
abstract contract SandboxDepositCollector is IDepositCollector {
    address public constant x402BatchSettlement = 0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003;

    error OnlyBatchSettlement();

    modifier onlyBatchSettlement() {
        if (msg.sender != x402BatchSettlement) revert OnlyBatchSettlement();
        _;
    }
}
