export { describeCrossChainRoutes, type RoutesWorld } from './cross-chain-routes';
