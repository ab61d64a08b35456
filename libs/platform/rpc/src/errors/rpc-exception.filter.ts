import { Catch, type ExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Hands every exception of a handler to the transport as it is. A `DomainError` reaches the caller, anything else
 * becomes INTERNAL_ERROR, with its cause in the log. Nest's own default would drop both. Filters of methods and classes
 * come first.
 */
@Catch()
export class RpcExceptionFilter implements ExceptionFilter {
  catch(exception: unknown): Observable<never> {
    return throwError(() => exception);
  }
}
