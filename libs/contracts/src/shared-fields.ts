import { type TextOptions, type Undescribed } from '@tollbridge/rpc';
import { Text } from './decorators';

type Options = Undescribed<TextOptions>;

export const idExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

/** An id of this product in documents. Use `Uuid` for fields that must reject every other text. */
export const Id = (description: string, options: Options = {}): PropertyDecorator =>
  Text(description, { format: 'uuid', example: options.nullable ? null : idExample, ...options });

/** A URL of a page or an image of the merchant. */
export const WebAddress = (description: string, options: Options): PropertyDecorator =>
  Text(description, { maxLength: 1_024, ...options });
