import { Catch, type ExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Passes every exception of a handler to the transport unchanged. A `DomainError` reaches the caller. Any
 * other exception becomes INTERNAL_ERROR, with its cause in the log. Nest's default filter would drop both.
 * Filters of methods and classes run first.
 */
@Catch()
export class RpcExceptionFilter implements ExceptionFilter {
  catch(exception: unknown): Observable<never> {
    return throwError(() => exception);
  }
}
