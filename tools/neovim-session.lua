-- A session of tools/test-neovim.sh: breakpoints by the cursor, continue, steps, back, variables.
-- The expected values are those of runtime/debug/tests/data/steps.hlsl, computed here.

local function check(what, found, wanted)
  if not vim.deep_equal(found, wanted) then
    error(('%s: %s, not %s'):format(what, vim.inspect(found), vim.inspect(wanted)), 2)
  end
  print(('%s: %s\n'):format(what, vim.inspect(found, { newline = '', indent = '' })))
end

local function session()
  local source = 'runtime/debug/tests/data/steps.hlsl'
  vim.cmd.edit(source)
  dofile(vim.env.DOCUMENTED)
  -- Scripts run without the detection of file types.
  vim.bo.filetype = vim.filetype.match({ buf = 0 })
  check('file type', vim.bo.filetype, 'hlsl')
  local dap = require('dap')
  local configuration = dap.configurations.hlsl[1]
  configuration.program = 'runtime/debug/tests/data/steps.dxil'
  configuration.args = { '--dispatch', '2' }
  configuration.cwd = vim.fn.getcwd()
  configuration.stopOnEntry = false
  configuration.target = '1,0,0:7'

  local stops, ended = 0, false
  dap.listeners.after.event_stopped['test'] = function() stops = stops + 1 end
  dap.listeners.after.event_terminated['test'] = function() ended = true end
  --- Does something, and waits until the wave has stopped again.
  local function to_a_stop(work)
    local before = stops
    -- The plugin asks for the calls after the event.
    if dap.session() then dap.session().current_frame = nil end
    work()
    local done = vim.wait(30000, function()
      local current = dap.session()
      return ended or (stops > before and current and current.current_frame)
    end, 10)
    check('stops', done, true)
  end
  --- Asks the adapter through the plugin's session.
  local function ask(command, arguments)
    local answer, problem
    local done = false
    dap.session():request(command, arguments, function(err, body)
      answer, problem, done = body, err, true
    end)
    vim.wait(30000, function() return done end, 10)
    if problem then error(command .. ': ' .. vim.inspect(problem)) end
    return answer
  end
  local function variables()
    local scopes = ask('scopes', { frameId = dap.session().current_frame.id }).scopes
    local values = {}
    for _, variable in ipairs(ask('variables', { variablesReference = scopes[1].variablesReference }).variables) do
      values[variable.name] = variable.value
    end
    return values
  end

  local line = vim.fn.search('total += twice(i + 1);')
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  dap.toggle_breakpoint()
  local total = 0
  for i = 0, 2 do
    to_a_stop(dap.continue)
    -- The plugin moves the cursor to where the wave has stopped.
    check('cursor', vim.api.nvim_win_get_cursor(0)[1], line)
    check('function', dap.session().current_frame.name, 'sum')
    local values = variables()
    check('i and total', { values.i, values.total }, { tostring(i), tostring(total) })
    total = total + 2 * (i + 1)
  end
  to_a_stop(dap.reverse_continue)
  check('back: i', variables().i, '1')
  to_a_stop(dap.step_into)
  check('into', dap.session().current_frame.name, 'twice')
  to_a_stop(dap.step_out)
  check('out', dap.session().current_frame.name, 'sum')
  local value = ask('evaluate', { expression = 'total * 100 + count', context = 'hover',
    frameId = dap.session().current_frame.id })
  -- The call has returned, and its result is not added yet: the first round's 2 is there.
  check('hover', value.result, '203')
  dap.clear_breakpoints()
  dap.continue()
  check('ended', vim.wait(30000, function() return ended end, 10), true)
end

local ok, problem = pcall(session)
if not ok then
  io.stderr:write(tostring(problem) .. '\n')
  os.exit(1)
end
print('neovim: fine\n')
os.exit(0)
