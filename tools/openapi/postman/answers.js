// Checks each answer: its status, and its form as the OpenAPI document has it.
(() => {
  const { forms, definitions } = FORMS;

  pm.test('is answered 200', () => {
    pm.response.to.have.status(200);
  });

  const form = forms[pm.info.requestName];
  if (form === undefined) return;
  pm.test('has the documented form', () => {
    pm.response.to.have.jsonSchema(Object.assign({ definitions }, form));
  });
})();
