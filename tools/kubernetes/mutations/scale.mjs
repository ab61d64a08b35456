import { remove, settingsOf } from './changing.mjs';

/** @type {import('../mutations.mjs').Mutation[]} */
export const ofScale = [
  {
    name: 'an autoscaler asks for more connections than PostgreSQL has',
    change: (find) => (find('ScaledObject', 'merchant').spec.maxReplicaCount = 25),
    problem: /PostgreSQL: \d+ connections are needed, and max_connections is 330/,
  },
  {
    name: 'an autoscaler asks for more connections than the role has',
    change: (find) => (find('ScaledObject', 'merchant').spec.maxReplicaCount = 12),
    problem: /merchant may open 130 connections, and roles.sql gives its role 50/,
  },
  {
    name: 'a pool is larger than PostgreSQL allows',
    change: (_, documents) => (settingsOf(documents, 'tx-engine').TX_ENGINE_DATABASE_CONNECTIONS = '80'),
    problem: /PostgreSQL: \d+ connections are needed/,
  },
  {
    name: 'a PodDisruptionBudget is missing',
    change: (_, documents) => remove(documents, 'PodDisruptionBudget', 'gateway'),
    problem: /Deployment\/gateway: has no PodDisruptionBudget/,
  },
  {
    name: 'a PodDisruptionBudget blocks every drain',
    change: (find) => (find('PodDisruptionBudget', 'tx-engine').spec.maxUnavailable = 0),
    problem: /lets no node be drained/,
  },
  {
    name: 'an app has one replica',
    change: (find) => (find('Deployment', 'pay-orders').spec.replicas = 1),
    problem: /Deployment\/pay-orders: needs 2 replicas/,
  },
  {
    name: 'replicas are set beside an autoscaler',
    change: (find) => (find('Deployment', 'gateway').spec.replicas = 2),
    problem: /replicas must be left to HorizontalPodAutoscaler\/gateway/,
  },
  {
    name: 'KEDA follows a consumer that does not exist',
    change: (find) =>
      (find('ScaledObject', 'merchant').spec.triggers[0].metadata.consumer = 'merchant-order'),
    problem: /there is no consumer PAY_ORDERS merchant-order/,
  },
];
