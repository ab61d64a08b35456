/** A setting of an app, for the check of a file of settings. */
export interface SettingInfo {
  name: string;
  description: string;
  /** Has no default outside the sandbox. */
  isRequired?: boolean;
  /** Of a secret: values of the examples, which apps reject outside the sandbox. */
  publicValues?: readonly string[];
}
