import { type TextOptions, type Undescribed } from '@tollbridge/rpc';
import { Text } from './decorators';

type Options = Undescribed<TextOptions>;

export const idExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

/** An id of this product in the document. Use `Uuid` where every other text must be rejected. */
export const Id = (description: string, options: Options = {}): PropertyDecorator =>
  Text(description, { format: 'uuid', example: options.nullable ? null : idExample, ...options });

/** A URL of the merchant: of a page or an image. */
export const WebAddress = (description: string, options: Options): PropertyDecorator =>
  Text(description, { maxLength: 1_024, ...options });
