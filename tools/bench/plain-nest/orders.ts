// The service of the peer: a TypeORM repository, and an order with its outbox row in one transaction.
import { Controller, Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload, Transport, type MicroserviceOptions } from '@nestjs/microservices';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  CreateDateColumn,
  DataSource,
  Entity,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { v7 } from 'uuid';
import { CreateOrder } from './create-order';
import { subjects, type PlainNestSettings } from './settings';

const { nats, databaseUrl, schema } = JSON.parse(process.argv[2]!) as PlainNestSettings;
const orderLifeMs = 1_800_000;

@Entity('orders')
class Order {
  @PrimaryColumn('uuid')
  id: string;

  @Column()
  status: string;

  @Column()
  pay_blockchain: string;

  @Column()
  pay_token: string;

  @Column()
  settle_chain: string;

  @Column()
  settle_token: string;

  @Column()
  merchant_address: string;

  @Column('numeric')
  merchant_amount: string;

  @Column()
  fee_receiver: string;

  @Column('numeric')
  fee_amount: string;

  @Index()
  @Column()
  merchant_id: string;

  @Index()
  @Column()
  payer_address: string;

  @Column('timestamptz')
  expires_at: Date;

  @CreateDateColumn()
  created_at: Date;

  @UpdateDateColumn()
  updated_at: Date;
}

@Entity('outbox')
class OutboxEvent {
  @PrimaryColumn('uuid')
  id: string;

  @Column()
  type: string;

  @Column('jsonb')
  body: object;

  @CreateDateColumn()
  created_at: Date;
}

@Controller()
class OrdersController {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  @MessagePattern(subjects.create)
  async create(@Payload() body: CreateOrder): Promise<object> {
    const order = await this.database.transaction(async (manager) => {
      const expires_at = new Date(Date.now() + orderLifeMs);
      const saved = await manager.save(Order, { id: v7(), status: 'waiting_payment', ...body, expires_at });
      await manager.save(OutboxEvent, { id: v7(), type: 'order-created', body: { ...saved } });
      return saved;
    });
    return {
      order_id: order.id,
      method: 'Direct',
      direct: instructions(order),
      cross_chain: null,
      expires_at: order.expires_at,
    };
  }

  @MessagePattern(subjects.read)
  async read(@Payload() { id }: { id: string }): Promise<object | null> {
    const order = await this.database.getRepository(Order).findOneBy({ id });
    if (order === null) return null;
    const { status, created_at, updated_at } = order;
    const unpaid = { pay_tx: null, settle_tx: null, settled_amount: null };
    return { order_id: id, status, method: 'Direct', ...unpaid, created_at, updated_at };
  }
}

/** The payment of an order, in about the size of Tollbridge's reply. */
function instructions(order: Order): object {
  const {
    id,
    pay_token,
    settle_chain,
    settle_token,
    merchant_address,
    merchant_amount,
    fee_receiver,
    fee_amount,
  } = order;
  return {
    contract_address: `0x${'1'.repeat(40)}`,
    chain: settle_chain,
    payment_order: {
      order_id: id,
      token_in: pay_token,
      token_out: settle_token,
      amount_in: String(BigInt(merchant_amount) + BigInt(fee_amount)),
      token_in_address: `0x${'2'.repeat(40)}`,
      merchant: merchant_address,
      merchant_amount,
      fee_receiver,
      fee_amount,
      deadline: Math.floor(order.expires_at.getTime() / 1_000),
    },
  };
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: databaseUrl,
      schema,
      entities: [Order, OutboxEvent],
      synchronize: true,
      poolSize: 20,
    }),
  ],
  controllers: [OrdersController],
})
class OrdersModule {}

async function run(): Promise<void> {
  const options = { transport: Transport.NATS, options: { ...nats, queue: 'orders' } } as const;
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(OrdersModule, {
    ...options,
    logger: ['error'],
  });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true }));
  await app.listen();
  process.send!({ ready: true });
}
void run();
