<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en_US">
<context>
    <name>AbilityLine</name>
    <message>
        <source>abilities unknown</source>
        <translation>能力未知</translation>
    </message>
</context>
<context>
    <name>AccountCard</name>
    <message>
        <source>Account %1</source>
        <translation>账户 %1</translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation>添加账户…</translation>
    </message>
    <message>
        <source>Add server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>More accounts</source>
        <translation>更多账户</translation>
    </message>
    <message>
        <source>More servers</source>
        <translation>更多服务器</translation>
    </message>
    <message>
        <source>Remove account</source>
        <translation>移除账户</translation>
    </message>
</context>
<context>
    <name>AccountForm</name>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Add account</source>
        <translation>添加账户</translation>
    </message>
    <message>
        <source>Add an account with %1, which has a key of its own</source>
        <translation>添加 %1 的账户，使用单独的密钥</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>Base URL</translation>
    </message>
    <message>
        <source>For example %1</source>
        <translation>例如 %1</translation>
    </message>
    <message>
        <source>Id, which stands before its models</source>
        <translation>ID，写在模型名之前</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>New: %1</source>
        <translation>新建：%1</translation>
    </message>
</context>
<context>
    <name>AnswerPane</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
</context>
<context>
    <name>Answers</name>
    <message>
        <source>Answer instead…</source>
        <translation>代为回答…</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Deny and stop</source>
        <translation>拒绝并停止</translation>
    </message>
    <message>
        <source>Deny with a reason…</source>
        <translation>说明理由并拒绝…</translation>
    </message>
    <message>
        <source>More answers</source>
        <translation>更多回答方式</translation>
    </message>
    <message>
        <source>Run once</source>
        <translation>运行一次</translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>Choose other keys in Settings › Shortcuts.</source>
        <translation>请在“设置 › 快捷键”中换用其他按键。</translation>
    </message>
    <message>
        <source>Diagnostics copied</source>
        <translation>诊断信息已复制</translation>
    </message>
    <message>
        <source>The desktop could not open the folder of the log files</source>
        <translation>桌面环境无法打开日志文件夹</translation>
    </message>
    <message>
        <source>What was stored is there. “Show log” leads to crash.1.log, which a bug report needs.</source>
        <translation>已保存的内容仍在。点“显示日志”可找到 crash.1.log，报告问题时需要它。</translation>
    </message>
    <message>
        <source>agdesk ended unexpectedly the last time</source>
        <translation>agdesk 上次意外退出</translation>
    </message>
    <message>
        <source>{action} has no shortcut: {keys} is that of {owner}</source>
        <translation>{action}没有快捷键：{keys} 已用于{owner}</translation>
    </message>
    <message>
        <source>{action} has no shortcut: “{keys}” are no keys</source>
        <translation>{action}没有快捷键：“{keys}”不是有效的按键</translation>
    </message>
</context>
<context>
    <name>ApprovalCard</name>
    <message>
        <source>The arguments cannot run as they are</source>
        <translation>参数目前无法运行</translation>
    </message>
    <message>
        <source>The focus came here by itself: go on by Tab or with the mouse</source>
        <translation>焦点是自动移到这里的：请用 Tab 键或鼠标继续</translation>
    </message>
    <message>
        <source>{run} run once · {edit} edit · {deny} deny · {next}/{previous} next and previous</source>
        <translation>{run} 运行一次 · {edit} 编辑 · {deny} 拒绝 · {next}/{previous} 下一个和上一个</translation>
    </message>
</context>
<context>
    <name>ApprovalDesk</name>
    <message>
        <source>{count} calls wait for your decision: </source>
        <translation>{count} 个调用等待你决定： </translation>
    </message>
</context>
<context>
    <name>ApprovalWords</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>Factual</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>In this conversation</source>
        <translation>在此对话中</translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>Once</source>
        <translation>仅此一次</translation>
    </message>
    <message>
        <source>Run “{tool}”?</source>
        <translation>运行“{tool}”？</translation>
    </message>
    <message>
        <source>Until this answer is finished</source>
        <translation>直到此回答结束</translation>
    </message>
    <message>
        <source>fits the pattern</source>
        <translation>符合模式</translation>
    </message>
    <message>
        <source>is</source>
        <translation>等于</translation>
    </message>
    <message>
        <source>is on the host</source>
        <translation>位于主机</translation>
    </message>
    <message>
        <source>lies in the folder</source>
        <translation>位于文件夹中</translation>
    </message>
    <message>
        <source>starts with</source>
        <translation>开头是</translation>
    </message>
</context>
<context>
    <name>AttachmentBox</name>
    <message>
        <source>%1 cannot take %2: they would be sent for nothing or refused.</source>
        <translation>%1 不能接收%2：发送后不会起作用，或会被拒绝。</translation>
    </message>
    <message numerus="yes">
        <source>%n more cannot be attached.</source>
        <translation>
            <numerusform>另有 %n 个无法添加。</numerusform>
        </translation>
    </message>
    <message>
        <source>An attachment is still being read. Send again when it is there.</source>
        <translation>附件仍在读取中，请在读取完成后再次发送。</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Pasted image</source>
        <translation>粘贴的图片</translation>
    </message>
    <message numerus="yes">
        <source>Reading %n file(s)…</source>
        <translation>
            <numerusform>正在读取 %n 个文件…</numerusform>
        </translation>
    </message>
    <message>
        <source>Removed %1</source>
        <translation>已移除 %1</translation>
    </message>
    <message>
        <source>The provider of %1 cannot take %2: they would be left out.</source>
        <translation>%1 的提供商不能接收%2：它们不会被发送。</translation>
    </message>
    <message>
        <source>not taken by this model</source>
        <translation>该模型不接收</translation>
    </message>
</context>
<context>
    <name>AttachmentPreview</name>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n 页</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>cannot be saved: %1</source>
        <translation>无法保存：%1</translation>
    </message>
    <message>
        <source>it cannot be shown</source>
        <translation>无法显示</translation>
    </message>
    <message>
        <source>its bytes are not kept here</source>
        <translation>内容未保存在本机</translation>
    </message>
    <message>
        <source>only its beginning is shown</source>
        <translation>仅显示开头部分</translation>
    </message>
    <message>
        <source>saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
</context>
<context>
    <name>AttachmentTray</name>
    <message>
        <source>Attachments</source>
        <translation>附件</translation>
    </message>
    <message>
        <source>Choose another model…</source>
        <translation>选择其他模型…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>Audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>PDFs</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>未加载</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first}和{last}</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>BatchBar</name>
    <message>
        <source>Deny all ({count})</source>
        <translation>全部拒绝（{count}）</translation>
    </message>
    <message>
        <source>Run all ({count})</source>
        <translation>全部运行（{count}）</translation>
    </message>
    <message>
        <source>Run all Factual ({count})</source>
        <translation>运行全部事实类（{count}）</translation>
    </message>
    <message>
        <source>Run all of {tool} ({count})</source>
        <translation>运行全部 {tool}（{count}）</translation>
    </message>
    <message>
        <source>Run until the next Action ({count})</source>
        <translation>运行到下一个操作为止（{count}）</translation>
    </message>
</context>
<context>
    <name>BranchControl</name>
    <message>
        <source>All branches…</source>
        <translation>所有分支…</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Answer again with another model…</source>
        <translation>用其他模型重新回答…</translation>
    </message>
    <message>
        <source>Delete this and what follows</source>
        <translation>删除此条及之后的内容</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Fork into a new conversation</source>
        <translation>分叉为新对话</translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation>消息已删除</translation>
    </message>
    <message>
        <source>Nothing came of this answer, so there is nothing to edit.</source>
        <translation>这条回答没有任何内容，无可编辑。</translation>
    </message>
</context>
<context>
    <name>BranchesDialog</name>
    <message>
        <source>A new conversation of everything up to this message</source>
        <translation>用截至此消息的全部内容新建对话</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <source>Nothing was said yet. An edited message and another answer become branches.</source>
        <translation>还没有任何消息。编辑消息或重新回答后会产生分支。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>This message and what follows it; it can be undone</source>
        <translation>此消息及其后的内容；可以撤销</translation>
    </message>
</context>
<context>
    <name>BuiltinState</name>
    <message>
        <source>A change takes effect with the next message to the built-in model.</source>
        <translation>更改从发给内置模型的下一条消息起生效。</translation>
    </message>
    <message>
        <source>An answer of the built-in model that is running ends.</source>
        <translation>内置模型正在生成的回答会中断。</translation>
    </message>
    <message>
        <source>It has crashed; the next message starts it again.</source>
        <translation>进程已崩溃；发送下一条消息时会重新启动。</translation>
    </message>
    <message>
        <source>Not started; the first message starts it.</source>
        <translation>未启动；发送第一条消息时启动。</translation>
    </message>
    <message>
        <source>Process: %1</source>
        <translation>进程：%1</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重启</translation>
    </message>
    <message>
        <source>Restart the built-in model</source>
        <translation>重启内置模型</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
</context>
<context>
    <name>CallControl</name>
    <message>
        <source>No rule is kept: you are asked about every call.</source>
        <translation>没有保留规则：每个调用都会询问你。</translation>
    </message>
    <message>
        <source>Rules for calls revoked: {count}</source>
        <translation>已撤销的调用规则：{count} 条</translation>
    </message>
    <message>
        <source>This rule does not fit the call that it is made from.</source>
        <translation>此规则与生成它的调用不符。</translation>
    </message>
    <message>
        <source>This rule grants more than its text can show.</source>
        <translation>此规则授予的权限超出其文字所能显示的范围。</translation>
    </message>
</context>
<context>
    <name>CallList</name>
    <message>
        <source>Calls that wait for your decision</source>
        <translation>等待你决定的调用</translation>
    </message>
</context>
<context>
    <name>CallStory</name>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Not valid</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>Output so far</source>
        <translation>目前的输出</translation>
    </message>
    <message>
        <source>Ran with, as changed by you</source>
        <translation>按你的修改运行</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>allowed by a rule</source>
        <translation>由规则允许</translation>
    </message>
    <message>
        <source>answered by you</source>
        <translation>由你回答</translation>
    </message>
    <message>
        <source>changed by you</source>
        <translation>由你修改</translation>
    </message>
    <message>
        <source>denied by a rule</source>
        <translation>被规则拒绝</translation>
    </message>
    <message>
        <source>denied by you</source>
        <translation>被你拒绝</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>stopped before it ran</source>
        <translation>运行前已停止</translation>
    </message>
    <message>
        <source>stopped, effect unknown</source>
        <translation>已停止，影响未知</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>等待你决定</translation>
    </message>
    <message>
        <source>{word} in {seconds}&#x202f;s</source>
        <translation>{word}，用时 {seconds}&#x202f;s</translation>
    </message>
</context>
<context>
    <name>CallWidget</name>
    <message>
        <source>Call of {name}: {words}</source>
        <translation>调用 {name}：{words}</translation>
    </message>
    <message>
        <source>Hide arguments and result</source>
        <translation>隐藏参数和结果</translation>
    </message>
    <message>
        <source>Show arguments and result</source>
        <translation>显示参数和结果</translation>
    </message>
</context>
<context>
    <name>CardBody</name>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>Schema</translation>
    </message>
    <message>
        <source>Schema of the arguments</source>
        <translation>参数的 Schema</translation>
    </message>
    <message>
        <source>The arguments are no object</source>
        <translation>参数不是对象</translation>
    </message>
    <message>
        <source>The model said: {words}</source>
        <translation>模型说：{words}</translation>
    </message>
    <message>
        <source>Where the call comes from</source>
        <translation>调用的来源</translation>
    </message>
    <message>
        <source>Your changes (- proposed, + changed)</source>
        <translation>你的修改（- 提议，+ 修改后）</translation>
    </message>
    <message>
        <source>Your changes to the arguments</source>
        <translation>你对参数的修改</translation>
    </message>
    <message>
        <source>endpoint</source>
        <translation>端点</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>none says anything about this call</source>
        <translation>没有规则涉及此调用</translation>
    </message>
    <message>
        <source>reached by</source>
        <translation>连接方式</translation>
    </message>
    <message>
        <source>rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>tool</source>
        <translation>工具</translation>
    </message>
</context>
<context>
    <name>CardHead</name>
    <message>
        <source>Deny this call</source>
        <translation>拒绝此调用</translation>
    </message>
    <message>
        <source>Open as window</source>
        <translation>在窗口中打开</translation>
    </message>
    <message>
        <source>Run “{tool}”?</source>
        <translation>运行“{tool}”？</translation>
    </message>
    <message>
        <source>{place} of {count}</source>
        <translation>第 {place} 个，共 {count} 个</translation>
    </message>
</context>
<context>
    <name>ChatFrame</name>
    <message>
        <source>Attach files…</source>
        <translation>添加附件…</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
</context>
<context>
    <name>ChoiceControl</name>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>This model is known to take: {words}</source>
        <translation>已知该模型接受：{words}</translation>
    </message>
</context>
<context>
    <name>CodeWidget</name>
    <message>
        <source>Beyond 2 MB: shown as it came</source>
        <translation>超过 2 MB：按原样显示</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Scroll the code</source>
        <translation>滚动代码</translation>
    </message>
    <message>
        <source>Wrap long lines</source>
        <translation>长行自动换行</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>code in %1</source>
        <translation>%1 代码</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>%1 results</source>
        <translation>%1 个结果</translation>
    </message>
    <message>
        <source>1 result</source>
        <translation>1 个结果</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Nothing has these letters in this order.</source>
        <translation>没有依次包含这些字符的条目。</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>想做什么？</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Message…</source>
        <translation>输入消息…</translation>
    </message>
</context>
<context>
    <name>ConditionRow</name>
    <message>
        <source>Argument of condition {number}</source>
        <translation>条件 {number} 的参数</translation>
    </message>
    <message>
        <source>Comparison of condition {number}</source>
        <translation>条件 {number} 的比较方式</translation>
    </message>
    <message>
        <source>Remove condition {number}</source>
        <translation>移除条件 {number}</translation>
    </message>
    <message>
        <source>Value of condition {number}</source>
        <translation>条件 {number} 的值</translation>
    </message>
</context>
<context>
    <name>ContextGauge</name>
    <message>
        <source>Context: not known yet</source>
        <translation>上下文：尚不可知</translation>
    </message>
    <message>
        <source>Context: {whole}</source>
        <translation>上下文：{whole}</translation>
    </message>
</context>
<context>
    <name>ContextSheet</name>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
</context>
<context>
    <name>ConversationColumn</name>
    <message>
        <source>Drop to attach</source>
        <translation>拖放到此处以添加附件</translation>
    </message>
</context>
<context>
    <name>ConversationCommands</name>
    <message>
        <source>Deleted %1 conversations</source>
        <translation>已删除 %1 个对话</translation>
    </message>
    <message>
        <source>Deleted “%1”</source>
        <translation>已删除“%1”</translation>
    </message>
</context>
<context>
    <name>ConversationDelegate</name>
    <message>
        <source>New title</source>
        <translation>新标题</translation>
    </message>
</context>
<context>
    <name>ConversationListModel</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>正在回答</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>in front</source>
        <translation>当前显示</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>已展开</translation>
    </message>
</context>
<context>
    <name>ConversationMenu</name>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Move to group</source>
        <translation>移到分组</translation>
    </message>
    <message>
        <source>New group…</source>
        <translation>新建分组…</translation>
    </message>
    <message>
        <source>No group</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Record traffic</source>
        <translation>流量记录</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
</context>
<context>
    <name>ConversationPanel</name>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Name of the new group</source>
        <translation>新分组的名称</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>No conversations yet.</source>
        <translation>还没有对话。</translation>
    </message>
    <message>
        <source>No title has these words.</source>
        <translation>没有包含这些词的标题。</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>未找到结果。</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>What you ask a model is kept here.</source>
        <translation>你向模型提出的问题会保存在这里。</translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>Conversations</source>
        <translation>对话列表</translation>
    </message>
</context>
<context>
    <name>Conversations</name>
    <message>
        <source>MMMM yyyy</source>
        <translation>yyyy年M月</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Previous 30 days</source>
        <translation>过去 30 天</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>过去 7 天</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>h</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>min</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>A base URL holds no password, query or fragment</source>
        <translation>Base URL 不能含有密码、查询参数或片段</translation>
    </message>
    <message>
        <source>A block cannot be cut to {keep} characters</source>
        <translation>无法将块截断为 {keep} 个字符</translation>
    </message>
    <message>
        <source>A header&apos;s name is made of letters, digits and dashes</source>
        <translation>请求头名称由字母、数字和连字符组成</translation>
    </message>
    <message>
        <source>A line of the trace is no record</source>
        <translation>跟踪记录中有一行不是记录</translation>
    </message>
    <message>
        <source>A line without a colon is no header</source>
        <translation>没有冒号的行不是请求头</translation>
    </message>
    <message>
        <source>A newer agdesk wrote the database {path} (version {version}; this one knows {6})</source>
        <translation>数据库 {path} 由更新版本的 agdesk 写入（版本 {version}；此版本支持到 {6}）</translation>
    </message>
    <message>
        <source>A proxy on the way refused the request{rest}</source>
        <translation>途中的代理拒绝了请求{rest}</translation>
    </message>
    <message>
        <source>A rule of the user denies this call</source>
        <translation>用户的一条规则拒绝此调用</translation>
    </message>
    <message>
        <source>A second message ({2}) began before the first ({first}) had ended</source>
        <translation>第一条消息（{first}）尚未结束，第二条消息（{2}）就已开始</translation>
    </message>
    <message>
        <source>A sign-in page of this network, a proxy or a wrong base URL answers in the provider&apos;s place: open the base URL in a browser, and correct it if need be.</source>
        <translation>可能是此网络的登录页、某个代理或错误的 Base URL 代替提供商作出了回答：请在浏览器中打开 Base URL，必要时加以更正。</translation>
    </message>
    <message>
        <source>Add a custom server instead.</source>
        <translation>请改为添加自定义服务器。</translation>
    </message>
    <message>
        <source>Add credit in the provider&apos;s console, or use another key.</source>
        <translation>请在提供商的控制台充值，或换用其他密钥。</translation>
    </message>
    <message>
        <source>Ask for it again instead.</source>
        <translation>请改为重新请求。</translation>
    </message>
    <message>
        <source>Ask the user to choose a folder for it.</source>
        <translation>请让用户为此对话选择一个文件夹。</translation>
    </message>
    <message>
        <source>Attach a file with something in it.</source>
        <translation>请添加有内容的文件。</translation>
    </message>
    <message>
        <source>Attach an image (PNG, JPEG, GIF, WebP), a PDF, audio (WAV, MP3) or a text file in UTF-8.</source>
        <translation>可以添加图片（PNG、JPEG、GIF、WebP）、PDF、音频（WAV、MP3）或 UTF-8 文本文件。</translation>
    </message>
    <message>
        <source>Attach the files in it.</source>
        <translation>请添加其中的文件。</translation>
    </message>
    <message>
        <source>Call it again with arguments that are one JSON object.</source>
        <translation>请用一个 JSON 对象作为参数重新调用。</translation>
    </message>
    <message>
        <source>Change or clear the parameter, tool or attachment that the message names.</source>
        <translation>请更改或清除提示中指出的参数、工具或附件。</translation>
    </message>
    <message>
        <source>Change the message or the attachment that the filter objects to.</source>
        <translation>请修改过滤器不接受的消息或附件。</translation>
    </message>
    <message>
        <source>Check that it is there and that you may.</source>
        <translation>请检查它是否存在，以及你是否有权限。</translation>
    </message>
    <message>
        <source>Check that it runs. {hint}</source>
        <translation>请检查它是否在运行。{hint}</translation>
    </message>
    <message>
        <source>Check that the folder can be read and written and that its disk is there.</source>
        <translation>请检查该文件夹能否读写，以及磁盘是否已连接。</translation>
    </message>
    <message>
        <source>Check that the server runs and that the base URL has its port.</source>
        <translation>请检查服务器是否在运行，以及 Base URL 是否带有端口。</translation>
    </message>
    <message>
        <source>Check the base URL of this provider, or choose the provider that speaks this format.</source>
        <translation>请检查此提供商的 Base URL，或选择使用此格式的提供商。</translation>
    </message>
    <message>
        <source>Check the base URL of this provider.</source>
        <translation>请检查此提供商的 Base URL。</translation>
    </message>
    <message>
        <source>Check the base URL of this provider: Ollama&apos;s own ends in /api, and /v1 is another format.</source>
        <translation>请检查此提供商的 Base URL：Ollama 自己的地址以 /api 结尾，/v1 是另一种格式。</translation>
    </message>
    <message>
        <source>Check the base URL of this provider: the server may speak another format.</source>
        <translation>请检查此提供商的 Base URL：服务器可能使用其他格式。</translation>
    </message>
    <message>
        <source>Check the base URL, the key and the headers of this provider for characters that do not belong there.</source>
        <translation>请检查此提供商的 Base URL、密钥和请求头中是否有不该出现的字符。</translation>
    </message>
    <message>
        <source>Check the data folder and the free space.</source>
        <translation>请检查数据文件夹和剩余空间。</translation>
    </message>
    <message>
        <source>Check the date of this machine; else the server needs a new certificate. If that is by an authority of your own, give it in {authority}.</source>
        <translation>请检查本机日期；若无误，则服务器需要新证书。如果证书由你自己的机构签发，请在 {authority} 中填写该机构。</translation>
    </message>
    <message>
        <source>Check the folder and the free space.</source>
        <translation>请检查文件夹和剩余空间。</translation>
    </message>
    <message>
        <source>Check the key of this provider; &quot;agdesk doctor&quot; says where it comes from.</source>
        <translation>请检查此提供商的密钥；“agdesk doctor”会显示密钥的来源。</translation>
    </message>
    <message>
        <source>Check the model file in Settings › Built-in model.</source>
        <translation>请在“设置 › 内置模型”中检查模型文件。</translation>
    </message>
    <message>
        <source>Check the name of the model and the base URL of this provider.</source>
        <translation>请检查模型名称和此提供商的 Base URL。</translation>
    </message>
    <message>
        <source>Check the network and the proxy.</source>
        <translation>请检查网络和代理。</translation>
    </message>
    <message>
        <source>Check the network, and the base URL of this provider for a wrong name or port.</source>
        <translation>请检查网络，以及此提供商 Base URL 中的主机名或端口是否有误。</translation>
    </message>
    <message>
        <source>Check whether the base URL should begin with http:// instead of https://.</source>
        <translation>请检查 Base URL 是否应以 http:// 而不是 https:// 开头。</translation>
    </message>
    <message>
        <source>Check who may read the file.</source>
        <translation>请检查谁有权读取该文件。</translation>
    </message>
    <message>
        <source>Choose a GGUF file in Settings › Built-in model.</source>
        <translation>请在“设置 › 内置模型”中选择 GGUF 文件。</translation>
    </message>
    <message>
        <source>Choose a PEM file in Settings › Providers › Extra certificate authority, or leave it empty.</source>
        <translation>请在“设置 › 提供商 › 额外的证书颁发机构”中选择 PEM 文件，或将其留空。</translation>
    </message>
    <message>
        <source>Choose a folder on a disk of this machine with --data-dir.</source>
        <translation>请用 --data-dir 选择本机磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>Choose another folder with --data-dir.</source>
        <translation>请用 --data-dir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Choose another id.</source>
        <translation>请换用其他 ID。</translation>
    </message>
    <message>
        <source>Choose another in {variable}. {instead}</source>
        <translation>请在 {variable} 中换用其他密钥库。{instead}</translation>
    </message>
    <message>
        <source>Choose another model, or correct what is known of this one in the list of models.</source>
        <translation>请选择其他模型，或在模型列表中更正该模型的信息。</translation>
    </message>
    <message>
        <source>Choose another one with --data-dir or {data_dir_variable}.</source>
        <translation>请用 --data-dir 或 {data_dir_variable} 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Choose another provider.</source>
        <translation>请选择其他提供商。</translation>
    </message>
    <message>
        <source>Close the other program that has it open.</source>
        <translation>请关闭打开它的其他程序。</translation>
    </message>
    <message>
        <source>Compact the conversation, or choose a model with a larger context window.</source>
        <translation>请压缩对话，或选择上下文窗口更大的模型。</translation>
    </message>
    <message>
        <source>Copy it once more, the key alone.</source>
        <translation>请重新复制，只复制密钥本身。</translation>
    </message>
    <message>
        <source>Copy the key once more.</source>
        <translation>请重新复制密钥。</translation>
    </message>
    <message>
        <source>Copy what is in it into a file.</source>
        <translation>请将其内容复制到文件中。</translation>
    </message>
    <message>
        <source>Correct that line. Until then the defaults are in force and the file stays as it is.</source>
        <translation>请更正该行。在此之前使用默认设置，文件保持不变。</translation>
    </message>
    <message>
        <source>Correct the base URL or the row of this provider.</source>
        <translation>请更正此提供商的 Base URL 或配置。</translation>
    </message>
    <message>
        <source>Correct the file.</source>
        <translation>请更正该文件。</translation>
    </message>
    <message>
        <source>Correct the value, or leave it out.</source>
        <translation>请更正该值，或将其去掉。</translation>
    </message>
    <message>
        <source>Enter it again in Settings › Providers.</source>
        <translation>请在“设置 › 提供商”中重新输入。</translation>
    </message>
    <message>
        <source>Finds a text in the text files of a folder and all folders in it. Gives path, line number and line.</source>
        <translation>在文件夹及其所有子文件夹的文本文件中查找文字，给出路径、行号和该行内容。</translation>
    </message>
    <message>
        <source>Free some space. Everything stored can be read, and nothing that waits is lost.</source>
        <translation>请释放一些空间。已保存的内容都能读取，等待写入的内容也不会丢失。</translation>
    </message>
    <message>
        <source>Gets a text from a server (GET) as it is, HTML too. Nothing is sent along; what a page needs a login or a browser for is not there. A redirect to another host is told and not followed.</source>
        <translation>从服务器获取文本 (GET)，原样返回，HTML 也是如此。不附带任何内容；需要登录或浏览器的页面内容无法获取。重定向到其他主机时只告知，不跟随。</translation>
    </message>
    <message>
        <source>Give a key in Settings › Providers.</source>
        <translation>请在“设置 › 提供商”中添加密钥。</translation>
    </message>
    <message>
        <source>Give a provider a key in Settings › Providers.</source>
        <translation>请在“设置 › 提供商”中为某个提供商添加密钥。</translation>
    </message>
    <message>
        <source>Give another provider a key in Settings › Providers, ask for its list of models, or ask for less.</source>
        <translation>请在“设置 › 提供商”中为其他提供商添加密钥，获取其模型列表，或减少所需的能力。</translation>
    </message>
    <message>
        <source>Give it a key</source>
        <translation>为其添加密钥</translation>
    </message>
    <message>
        <source>Give it as the provider&apos;s key, which is kept in the key store.</source>
        <translation>请将其作为提供商的密钥填写，密钥保存在密钥库中。</translation>
    </message>
    <message>
        <source>Give the key as the provider&apos;s key instead.</source>
        <translation>请改为将其作为提供商的密钥填写。</translation>
    </message>
    <message>
        <source>Give the key for this session only, or name an environment variable in Settings › Providers.</source>
        <translation>请输入仅用于本次运行的密钥，或在“设置 › 提供商”中指定环境变量。</translation>
    </message>
    <message>
        <source>Give the key this right in the provider&apos;s console, or choose another model.</source>
        <translation>请在提供商的控制台为该密钥授予此权限，或选择其他模型。</translation>
    </message>
    <message>
        <source>Google blocked the prompt, a refusal without an answer ({reason}){detail}</source>
        <translation>Google 拦截了提示词，只有拒绝而没有回答（{reason}）{detail}</translation>
    </message>
    <message>
        <source>Google&apos;s Interactions API</source>
        <translation>Google 的 Interactions API</translation>
    </message>
    <message>
        <source>How many lines at most.</source>
        <translation>最多多少行。</translation>
    </message>
    <message>
        <source>If the server is your own, or your company&apos;s network replaces certificates, give the PEM file of its authority in {authority}.</source>
        <translation>如果服务器是你自己的，或公司网络会替换证书，请在 {authority} 中填写其颁发机构的 PEM 文件。</translation>
    </message>
    <message>
        <source>If this repeats, the server or a proxy before it breaks the stream.</source>
        <translation>如果反复出现，可能是服务器或其前面的代理破坏了数据流。</translation>
    </message>
    <message>
        <source>Instead of argv: a line for the shell, with pipes and the like.</source>
        <translation>代替 argv：一行 shell 命令，可含管道等。</translation>
    </message>
    <message>
        <source>Instead of the provider, {2} answered with HTTP {status}</source>
        <translation>代替提供商回答的是{2}，状态为 HTTP {status}</translation>
    </message>
    <message>
        <source>Interrupted: agdesk ended before an answer began</source>
        <translation>已中断：回答开始前 agdesk 已退出</translation>
    </message>
    <message>
        <source>Interrupted: agdesk ended while this answer was arriving</source>
        <translation>已中断：回答到达过程中 agdesk 已退出</translation>
    </message>
    <message>
        <source>It asks to wait for {2}, which is too long to do so by itself. {rest}</source>
        <translation>提供商要求等待 {2}，时间过长，不再自动重试。{rest}</translation>
    </message>
    <message>
        <source>It begins with https:// or http://, has no user name in it, and its host is plain ASCII.</source>
        <translation>它以 https:// 或 http:// 开头，不含用户名，主机名为纯 ASCII。</translation>
    </message>
    <message>
        <source>It is as it was. Use the agdesk that wrote it, and report this.</source>
        <translation>数据库保持原样。请使用写入它的 agdesk 版本，并报告此问题。</translation>
    </message>
    <message>
        <source>It is fetched only if the user has seen that address when approving the call.</source>
        <translation>只有用户在批准调用时看到过该地址，才会获取。</translation>
    </message>
    <message>
        <source>It is {least} or more.</source>
        <translation>它须为 {least} 或更大。</translation>
    </message>
    <message>
        <source>It may have been deleted.</source>
        <translation>可能已被删除。</translation>
    </message>
    <message>
        <source>It was left as it is. Put a backup in its place, or move it away to begin with an empty one.</source>
        <translation>数据库保持原样。请用备份替换，或将其移走并从空列表开始。</translation>
    </message>
    <message>
        <source>It was tried {2} times. {rest}</source>
        <translation>已尝试 {2} 次。{rest}</translation>
    </message>
    <message>
        <source>Keep 0 or more.</source>
        <translation>请保留 0 个或更多。</translation>
    </message>
    <message>
        <source>Known are: {2}.</source>
        <translation>已知的有：{2}。</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>请将其去掉。</translation>
    </message>
    <message>
        <source>Leave one of them.</source>
        <translation>请只保留其中一个。</translation>
    </message>
    <message>
        <source>Line to begin with, counted from 1.</source>
        <translation>起始行，从 1 开始计数。</translation>
    </message>
    <message>
        <source>Links are not followed.</source>
        <translation>不跟随链接。</translation>
    </message>
    <message>
        <source>Links are not followed: use the path of the file itself.</source>
        <translation>不跟随链接：请使用文件本身的路径。</translation>
    </message>
    <message>
        <source>Lists the files and folders in a folder of the conversation&apos;s folder, with the sizes of the files.</source>
        <translation>列出对话文件夹中某个文件夹里的文件和文件夹，以及文件大小。</translation>
    </message>
    <message>
        <source>Look at what it waits for.</source>
        <translation>请查看它在等待什么。</translation>
    </message>
    <message>
        <source>Look the provider&apos;s words up in its documentation.</source>
        <translation>请在提供商的文档中查找其说明。</translation>
    </message>
    <message>
        <source>Make it smaller, or attach a part of it.</source>
        <translation>请将其缩小，或只添加其中一部分。</translation>
    </message>
    <message>
        <source>Make the image smaller.</source>
        <translation>请缩小图片。</translation>
    </message>
    <message>
        <source>Most programs that offer SOCKS offer an HTTP proxy too, often on a port of its own. {hint}</source>
        <translation>提供 SOCKS 的程序大多也提供 HTTP 代理，通常在单独的端口上。{hint}</translation>
    </message>
    <message>
        <source>Move it away yourself.</source>
        <translation>请自行将其移走。</translation>
    </message>
    <message>
        <source>Names are as Europe/Paris; leave it empty for the user&apos;s.</source>
        <translation>名称形如 Europe/Paris；留空则使用用户的时区。</translation>
    </message>
    <message>
        <source>No model can be used</source>
        <translation>没有可用的模型</translation>
    </message>
    <message>
        <source>No secure connection to the proxy {proxy} could be made</source>
        <translation>无法与代理 {proxy} 建立安全连接</translation>
    </message>
    <message>
        <source>No secure connection to {host} could be made</source>
        <translation>无法与 {host} 建立安全连接</translation>
    </message>
    <message>
        <source>No {2} that can be used has {4}</source>
        <translation>没有可用的模型具备 {4}（{2}）</translation>
    </message>
    <message>
        <source>Nobody is there who could approve it</source>
        <translation>没有人可以批准它</translation>
    </message>
    <message>
        <source>Nothing was {done}. {rest}</source>
        <translation>操作（{done}）未完成。{rest}</translation>
    </message>
    <message>
        <source>On Linux start a Secret Service, such as GNOME Keyring, KWallet or KeePassXC. {instead}</source>
        <translation>在 Linux 上请启动 Secret Service，例如 GNOME Keyring、KWallet 或 KeePassXC。{instead}</translation>
    </message>
    <message>
        <source>One unit of the stream is longer than {max_bytes} bytes</source>
        <translation>数据流中有一个单元超过 {max_bytes} 字节</translation>
    </message>
    <message>
        <source>Only an account can be removed.</source>
        <translation>只能移除账户。</translation>
    </message>
    <message>
        <source>Only files with such names, as *.py.</source>
        <translation>只限这样命名的文件，如 *.py。</translation>
    </message>
    <message>
        <source>Path of the file, relative to the conversation&apos;s folder.</source>
        <translation>文件路径，相对于对话的文件夹。</translation>
    </message>
    <message>
        <source>Plan again for these messages.</source>
        <translation>请为这些消息重新规划。</translation>
    </message>
    <message>
        <source>Put the name that the certificate is for into the base URL, or give the server one for this name; its authority can be given in {authority}.</source>
        <translation>请在 Base URL 中使用证书对应的名称，或为服务器换用此名称的证书；其颁发机构可在 {authority} 中填写。</translation>
    </message>
    <message>
        <source>Read it again, then call this again.</source>
        <translation>请重新读取，然后再次调用。</translation>
    </message>
    <message>
        <source>Read the file, and copy the text exactly.</source>
        <translation>请读取文件，并原样复制文字。</translation>
    </message>
    <message>
        <source>Reads a text file of the conversation&apos;s folder. Of a long one a part comes back, with a note how to read on.</source>
        <translation>读取对话文件夹中的文本文件。文件很长时返回一部分，并说明如何继续读取。</translation>
    </message>
    <message>
        <source>Remove it with the key store&apos;s own program.</source>
        <translation>请用密钥库自己的程序将其移除。</translation>
    </message>
    <message>
        <source>Remove keyring-path from it. {instead}</source>
        <translation>请从中删除 keyring-path。{instead}</translation>
    </message>
    <message>
        <source>Remove that choice. {instead}</source>
        <translation>请取消该选择。{instead}</translation>
    </message>
    <message>
        <source>Replace every place; else there must be exactly one.</source>
        <translation>替换所有位置；否则必须恰好有一处。</translation>
    </message>
    <message>
        <source>Replaces a text in a file of the conversation&apos;s folder. The old text must stand there exactly once, or replace_all be true.</source>
        <translation>替换对话文件夹中某个文件里的文字。旧文字必须恰好出现一次，或 replace_all 为 true。</translation>
    </message>
    <message>
        <source>Restore it first.</source>
        <translation>请先恢复它。</translation>
    </message>
    <message>
        <source>Runs a program in the conversation&apos;s folder and gives what it printed and its exit status. It gets no input. Everything it started is ended with it: servers and other things in the background do not stay.</source>
        <translation>在对话的文件夹中运行程序，给出其输出和退出状态。程序没有输入。它启动的一切都随之结束：服务器和其他后台程序不会保留。</translation>
    </message>
    <message>
        <source>Save it as PDF or text, or attach what is in it.</source>
        <translation>请另存为 PDF 或文本，或添加其中的内容。</translation>
    </message>
    <message>
        <source>Save or copy the image once more.</source>
        <translation>请重新保存或复制图片。</translation>
    </message>
    <message>
        <source>See the log file (&quot;agdesk doctor&quot; prints its folder).</source>
        <translation>请查看日志文件（“agdesk doctor”会显示其文件夹）。</translation>
    </message>
    <message>
        <source>See the log file, and start again.</source>
        <translation>请查看日志文件，然后重新启动。</translation>
    </message>
    <message>
        <source>Send a message to let it go on.</source>
        <translation>发送一条消息让它继续。</translation>
    </message>
    <message>
        <source>Send a new message instead.</source>
        <translation>请改为发送新消息。</translation>
    </message>
    <message>
        <source>Send a new one instead.</source>
        <translation>请改为发送一条新消息。</translation>
    </message>
    <message>
        <source>Send again in a moment, or choose another model.</source>
        <translation>请稍后重新发送，或选择其他模型。</translation>
    </message>
    <message>
        <source>Send again in a moment; if it keeps failing, look at the provider&apos;s status page.</source>
        <translation>请稍后重新发送；如果一直失败，请查看提供商的状态页。</translation>
    </message>
    <message>
        <source>Send again.</source>
        <translation>请重新发送。</translation>
    </message>
    <message>
        <source>Send again; a proxy between here and the provider mixes two answers into one.</source>
        <translation>请重新发送；本机与提供商之间的代理把两个回答混在了一起。</translation>
    </message>
    <message>
        <source>Send again; if it stays, check the base URL of this provider.</source>
        <translation>请重新发送；如果仍然如此，请检查此提供商的 Base URL。</translation>
    </message>
    <message>
        <source>Send again; if it stays, choose another model.</source>
        <translation>请重新发送；如果仍然如此，请选择其他模型。</translation>
    </message>
    <message>
        <source>Send again; if it stays, say it in other words or choose another model.</source>
        <translation>请重新发送；如果仍然如此，请换一种说法或选择其他模型。</translation>
    </message>
    <message>
        <source>Send again; if it stays, the server does not speak this format.</source>
        <translation>请重新发送；如果仍然如此，说明服务器不使用此格式。</translation>
    </message>
    <message>
        <source>Send again; if it stays, the server may not speak this format: look at the address of this provider.</source>
        <translation>请重新发送；如果仍然如此，服务器可能不使用此格式：请检查此提供商的地址。</translation>
    </message>
    <message>
        <source>Send one first.</source>
        <translation>请先发送一条消息。</translation>
    </message>
    <message>
        <source>Send the message again.</source>
        <translation>请重新发送该消息。</translation>
    </message>
    <message>
        <source>Send the request again.</source>
        <translation>请重新发送请求。</translation>
    </message>
    <message>
        <source>Send the request again; a slow model may need a longer timeout in the row of this provider.</source>
        <translation>请重新发送请求；较慢的模型可能需要在此提供商的配置中延长超时时间。</translation>
    </message>
    <message>
        <source>Set http_proxy and https_proxy to an HTTP proxy, or choose another proxy in Settings › Network.</source>
        <translation>请将 http_proxy 和 https_proxy 设为 HTTP 代理，或在“设置 › 网络”中选择其他代理。</translation>
    </message>
    <message>
        <source>Set it in Settings › Providers (on the command line: --base-url), as in {base_url_hint}.</source>
        <translation>请在“设置 › 提供商”中设置（命令行参数：--base-url），例如 {base_url_hint}。</translation>
    </message>
    <message>
        <source>Set it in Settings › Providers (on the command line: --base-url).</source>
        <translation>请在“设置 › 提供商”中设置（命令行参数：--base-url）。</translation>
    </message>
    <message>
        <source>Set the environment variable {key_env}</source>
        <translation>请设置环境变量 {key_env}</translation>
    </message>
    <message>
        <source>Set the environment variable {variable} and start agdesk again, or give a key in Settings › Providers.</source>
        <translation>请设置环境变量 {variable} 并重新启动 agdesk，或在“设置 › 提供商”中添加密钥。</translation>
    </message>
    <message>
        <source>Settings › Providers › Extra certificate authority</source>
        <translation>“设置 › 提供商 › 额外的证书颁发机构”</translation>
    </message>
    <message>
        <source>Sign in to Ollama at {url}, or give a key in Settings › Providers.</source>
        <translation>请在 {url} 登录 Ollama，或在“设置 › 提供商”中添加密钥。</translation>
    </message>
    <message>
        <source>Stop it first, then send.</source>
        <translation>请先停止，再发送。</translation>
    </message>
    <message>
        <source>Such as Europe/Paris; empty for that of the user.</source>
        <translation>例如 Europe/Paris；留空则为用户的时区。</translation>
    </message>
    <message>
        <source>Take more of the text around it, or set replace_all.</source>
        <translation>请多取一些前后文字，或设置 replace_all。</translation>
    </message>
    <message>
        <source>Tells the date, the weekday, the time and the time zone.</source>
        <translation>告知日期、星期、时间和时区。</translation>
    </message>
    <message>
        <source>Text is written in quotes, as in {name}=&apos;&quot;high&quot;&apos;.</source>
        <translation>文本要加引号，例如 {name}=&apos;&quot;high&quot;&apos;。</translation>
    </message>
    <message>
        <source>The API key was refused{rest}</source>
        <translation>API 密钥被拒绝{rest}</translation>
    </message>
    <message>
        <source>The account&apos;s quota is spent{rest}</source>
        <translation>账户的配额已用完{rest}</translation>
    </message>
    <message>
        <source>The address has moved to {2}</source>
        <translation>地址已迁移到 {2}</translation>
    </message>
    <message>
        <source>The answer failed, and the provider does not say why</source>
        <translation>回答失败，提供商没有说明原因</translation>
    </message>
    <message>
        <source>The answer is not in the provider&apos;s format{rest}</source>
        <translation>回答不符合提供商的格式{rest}</translation>
    </message>
    <message>
        <source>The answer is not valid JSON, it may have been cut: {2}</source>
        <translation>回答不是有效的 JSON，可能被截断：{2}</translation>
    </message>
    <message>
        <source>The answer of {host} is not compressed as it says</source>
        <translation>{host} 的回答未按其声明的方式压缩</translation>
    </message>
    <message>
        <source>The base URL or a header of {name} cannot be sent</source>
        <translation>{name} 的 Base URL 或请求头无法发送</translation>
    </message>
    <message>
        <source>The built-in model cannot run: {2}</source>
        <translation>内置模型无法运行：{2}</translation>
    </message>
    <message>
        <source>The built-in model could not be started: {error}</source>
        <translation>内置模型无法启动：{error}</translation>
    </message>
    <message>
        <source>The built-in model has no base URL</source>
        <translation>内置模型没有 Base URL</translation>
    </message>
    <message>
        <source>The built-in model was not ready within {start_timeout_s} s</source>
        <translation>内置模型未能在 {start_timeout_s} s 内就绪</translation>
    </message>
    <message>
        <source>The built-in model was stopped while it was starting</source>
        <translation>内置模型在启动过程中被停止</translation>
    </message>
    <message>
        <source>The built-in model&apos;s process ended before it was ready ({error})</source>
        <translation>内置模型的进程在就绪之前就已结束（{error}）</translation>
    </message>
    <message>
        <source>The certificate of the proxy {proxy} is not trusted: {4}</source>
        <translation>代理 {proxy} 的证书不受信任：{4}</translation>
    </message>
    <message>
        <source>The certificate of {host} is not trusted: {reason}</source>
        <translation>{host} 的证书不受信任：{reason}</translation>
    </message>
    <message>
        <source>The connection to {host} broke ({name})</source>
        <translation>与 {host} 的连接中断（{name}）</translation>
    </message>
    <message>
        <source>The content filter stopped the request{rest}</source>
        <translation>内容过滤器拦截了请求{rest}</translation>
    </message>
    <message>
        <source>The content has half of a character in it</source>
        <translation>内容中含有半个字符</translation>
    </message>
    <message>
        <source>The data folder {folder} cannot be locked: {strerror}</source>
        <translation>无法锁定数据文件夹 {folder}：{strerror}</translation>
    </message>
    <message>
        <source>The data folder {folder} cannot be used: {4}</source>
        <translation>无法使用数据文件夹 {folder}：{4}</translation>
    </message>
    <message>
        <source>The data folder {folder} is in use by another agdesk{holder}</source>
        <translation>数据文件夹 {folder} 正由另一个 agdesk 使用{holder}</translation>
    </message>
    <message>
        <source>The database {2} cannot be moved: {strerror}</source>
        <translation>无法移动数据库 {2}：{strerror}</translation>
    </message>
    <message>
        <source>The database {2} could not be brought to version {version}</source>
        <translation>数据库 {2} 无法升级到版本 {version}</translation>
    </message>
    <message>
        <source>The database {path} cannot be used: {reason}</source>
        <translation>无法使用数据库 {path}：{reason}</translation>
    </message>
    <message>
        <source>The database {path} is damaged ({4})</source>
        <translation>数据库 {path} 已损坏（{4}）</translation>
    </message>
    <message>
        <source>The database {path} is in use</source>
        <translation>数据库 {path} 正被使用</translation>
    </message>
    <message>
        <source>The disk of {folder} is full: what happens now cannot be kept</source>
        <translation>{folder} 所在的磁盘已满：现在发生的内容无法保存</translation>
    </message>
    <message>
        <source>The earlier messages are still being read</source>
        <translation>较早的消息仍在读取</translation>
    </message>
    <message>
        <source>The environment variable {named} is not set.</source>
        <translation>环境变量 {named} 未设置。</translation>
    </message>
    <message>
        <source>The extra certificate authority of {owner} cannot be used: {ca_file}: {6}</source>
        <translation>无法使用 {owner} 的额外证书颁发机构：{ca_file}：{6}</translation>
    </message>
    <message>
        <source>The file {path} cannot be made: {strerror}</source>
        <translation>无法创建文件 {path}：{strerror}</translation>
    </message>
    <message>
        <source>The folder to search, with all folders in it.</source>
        <translation>要搜索的文件夹，包括其中所有文件夹。</translation>
    </message>
    <message>
        <source>The folder, relative to the conversation&apos;s folder.</source>
        <translation>文件夹，相对于对话的文件夹。</translation>
    </message>
    <message>
        <source>The header {name} has a character that cannot be sent</source>
        <translation>请求头 {name} 含有无法发送的字符</translation>
    </message>
    <message>
        <source>The header {name} is set by agdesk itself</source>
        <translation>请求头 {name} 由 agdesk 自行设置</translation>
    </message>
    <message>
        <source>The header {name} would put a key into the settings file</source>
        <translation>请求头 {name} 会把密钥写入设置文件</translation>
    </message>
    <message>
        <source>The hook {name} failed: {failure}</source>
        <translation>钩子 {name} 失败：{failure}</translation>
    </message>
    <message>
        <source>The hook {name} said no where there is nothing to prevent</source>
        <translation>钩子 {name} 在无可阻止之处表示拒绝</translation>
    </message>
    <message>
        <source>The hook {name} took longer than {timeout_s} s</source>
        <translation>钩子 {name} 用时超过 {timeout_s} s</translation>
    </message>
    <message>
        <source>The host {host} was not found</source>
        <translation>找不到主机 {host}</translation>
    </message>
    <message>
        <source>The key for {name} has a character that no key can have</source>
        <translation>{name} 的密钥含有密钥不可能有的字符</translation>
    </message>
    <message>
        <source>The key has a blank or a line break inside</source>
        <translation>密钥中含有空格或换行</translation>
    </message>
    <message>
        <source>The key has a character that no key can have</source>
        <translation>密钥含有密钥不可能有的字符</translation>
    </message>
    <message>
        <source>The key has a control character inside</source>
        <translation>密钥中含有控制字符</translation>
    </message>
    <message>
        <source>The key in the key store is incomplete</source>
        <translation>密钥库中的密钥不完整</translation>
    </message>
    <message>
        <source>The key is empty</source>
        <translation>密钥为空</translation>
    </message>
    <message>
        <source>The key may not do this{rest}</source>
        <translation>该密钥无权执行此操作{rest}</translation>
    </message>
    <message>
        <source>The key may still be {done} if you unlock it now.</source>
        <translation>如果现在解锁，密钥可能仍会被处理（{done}）。</translation>
    </message>
    <message>
        <source>The key store did not answer in time</source>
        <translation>密钥库没有及时响应</translation>
    </message>
    <message>
        <source>The key store did not answer in time; it may be waiting to be unlocked</source>
        <translation>密钥库没有及时响应，可能正在等待解锁</translation>
    </message>
    <message>
        <source>The key store did not keep the key: it does not give back what was stored</source>
        <translation>密钥库没有保存密钥：读回的内容与保存的不同</translation>
    </message>
    <message>
        <source>The key store did not remove the key</source>
        <translation>密钥库没有移除密钥</translation>
    </message>
    <message>
        <source>The key store failed unexpectedly</source>
        <translation>密钥库意外失败</translation>
    </message>
    <message>
        <source>The key store failed: {name}: {text}</source>
        <translation>密钥库失败：{name}：{text}</translation>
    </message>
    <message>
        <source>The key store is locked</source>
        <translation>密钥库已锁定</translation>
    </message>
    <message>
        <source>The last message has its answer already</source>
        <translation>最后一条消息已有回答</translation>
    </message>
    <message>
        <source>The list of models of {name} is not JSON</source>
        <translation>{name} 的模型列表不是 JSON</translation>
    </message>
    <message>
        <source>The list of models of {provider_id} cannot be kept: {4}</source>
        <translation>无法保存 {provider_id} 的模型列表：{4}</translation>
    </message>
    <message>
        <source>The log has the details.</source>
        <translation>详情见日志。</translation>
    </message>
    <message>
        <source>The model ended the answer with an error ({word}){detail}</source>
        <translation>模型因错误结束了回答（{word}）{detail}</translation>
    </message>
    <message>
        <source>The model has used its {max_tool_turns} requests for this turn</source>
        <translation>模型已用完本轮的 {max_tool_turns} 次请求</translation>
    </message>
    <message>
        <source>The model or the address was not found{rest}</source>
        <translation>找不到模型或地址{rest}</translation>
    </message>
    <message>
        <source>The model that comes with agdesk is not installed</source>
        <translation>agdesk 自带的模型没有安装</translation>
    </message>
    <message>
        <source>The name of the proxy {proxy} cannot be resolved</source>
        <translation>无法解析代理 {proxy} 的主机名</translation>
    </message>
    <message>
        <source>The name {host} cannot be resolved</source>
        <translation>无法解析主机名 {host}</translation>
    </message>
    <message>
        <source>The null key store is chosen, which keeps nothing</source>
        <translation>选用了不保存任何内容的空密钥库</translation>
    </message>
    <message>
        <source>The old text is not in {path}</source>
        <translation>旧文字不在 {path} 中</translation>
    </message>
    <message>
        <source>The old text stands in {path} {count} times</source>
        <translation>旧文字在 {path} 中出现 {count} 次</translation>
    </message>
    <message>
        <source>The path is empty or has a zero character in it</source>
        <translation>路径为空或含有零字符</translation>
    </message>
    <message>
        <source>The plan was made for another history: message {2} is not the one it names</source>
        <translation>规划是为另一段历史制定的：消息 {2} 不是它所指的那条</translation>
    </message>
    <message>
        <source>The program and its arguments; no shell reads them.</source>
        <translation>程序及其参数；不经过 shell。</translation>
    </message>
    <message>
        <source>The provider answered without {member} and without an error</source>
        <translation>提供商的回答中没有 {member}，也没有错误信息</translation>
    </message>
    <message>
        <source>The provider failed{rest}</source>
        <translation>提供商出错{rest}</translation>
    </message>
    <message>
        <source>The provider is overloaded{rest}</source>
        <translation>提供商过载{rest}</translation>
    </message>
    <message>
        <source>The provider refused the request{rest}</source>
        <translation>提供商拒绝了请求{rest}</translation>
    </message>
    <message>
        <source>The provider reported an error{rest}</source>
        <translation>提供商报告了错误{rest}</translation>
    </message>
    <message>
        <source>The proxy in the settings</source>
        <translation>设置中的代理</translation>
    </message>
    <message>
        <source>The proxy in the settings has no address</source>
        <translation>设置中的代理没有地址</translation>
    </message>
    <message>
        <source>The proxy {proxy} broke the connection ({name})</source>
        <translation>代理 {proxy} 断开了连接（{name}）</translation>
    </message>
    <message>
        <source>The proxy {proxy} cannot be reached</source>
        <translation>无法连接到代理 {proxy}</translation>
    </message>
    <message>
        <source>The proxy {proxy} did not accept a connection in time</source>
        <translation>代理 {proxy} 没有及时接受连接</translation>
    </message>
    <message>
        <source>The proxy {proxy} did not connect to {host} (status {status})</source>
        <translation>代理 {proxy} 没有连接到 {host}（状态 {status}）</translation>
    </message>
    <message>
        <source>The proxy {proxy} refused the connection</source>
        <translation>代理 {proxy} 拒绝了连接</translation>
    </message>
    <message>
        <source>The proxy {proxy} {wish} (status 407)</source>
        <translation>代理 {proxy} {wish}（状态 407）</translation>
    </message>
    <message>
        <source>The rate limit was hit{rest}</source>
        <translation>达到速率限制{rest}</translation>
    </message>
    <message>
        <source>The request does not fit the context window{rest}</source>
        <translation>请求超出上下文窗口{rest}</translation>
    </message>
    <message>
        <source>The request to {host} cannot be sent</source>
        <translation>无法发送到 {host} 的请求</translation>
    </message>
    <message>
        <source>The server answered in the format of {name}, not of {own}</source>
        <translation>服务器以 {name} 的格式作出回答，而不是 {own} 的格式</translation>
    </message>
    <message>
        <source>The server answered with HTTP {status} and an empty body</source>
        <translation>服务器的回答为 HTTP {status}，正文为空</translation>
    </message>
    <message>
        <source>The server answered with JSON that holds no message of Ollama</source>
        <translation>服务器返回的 JSON 中没有 Ollama 的消息</translation>
    </message>
    <message>
        <source>The server answered without output and without an error</source>
        <translation>服务器的回答没有输出，也没有错误信息</translation>
    </message>
    <message>
        <source>The server sends something that is no answer; check the base URL of this provider in Settings.</source>
        <translation>服务器发送的内容不是回答；请在设置中检查此提供商的 Base URL。</translation>
    </message>
    <message>
        <source>The store is closed</source>
        <translation>数据存储已关闭</translation>
    </message>
    <message>
        <source>The stream is malformed, {expected} was expected: {shown}</source>
        <translation>数据流格式错误，应为 {expected}：{shown}</translation>
    </message>
    <message>
        <source>The system&apos;s proxy</source>
        <translation>系统的代理</translation>
    </message>
    <message>
        <source>The text to find, within a line; taken literally.</source>
        <translation>要查找的文字，在一行之内；按字面匹配。</translation>
    </message>
    <message>
        <source>The text to replace, exactly as it stands in the file.</source>
        <translation>要替换的文字，与文件中完全一致。</translation>
    </message>
    <message>
        <source>The tools are: {known}.</source>
        <translation>可用的工具有：{known}。</translation>
    </message>
    <message>
        <source>The types are {2}; an empty schema, {}, asks for any JSON object.</source>
        <translation>类型有 {2}；空的 Schema {} 表示任意 JSON 对象。</translation>
    </message>
    <message>
        <source>The user denied this call</source>
        <translation>用户拒绝了此调用</translation>
    </message>
    <message>
        <source>The user stopped the answer before this call ran</source>
        <translation>用户在此调用运行前停止了回答</translation>
    </message>
    <message>
        <source>The value of {name} is not JSON: {text}</source>
        <translation>{name} 的值不是 JSON：{text}</translation>
    </message>
    <message>
        <source>The whole new content.</source>
        <translation>全部新内容。</translation>
    </message>
    <message>
        <source>There are no accounts of {preset_id}</source>
        <translation>没有 {preset_id} 的账户</translation>
    </message>
    <message>
        <source>There are two headers {name}</source>
        <translation>有两个请求头 {name}</translation>
    </message>
    <message>
        <source>There is a provider {account_id} already</source>
        <translation>已有提供商 {account_id}</translation>
    </message>
    <message>
        <source>There is no key for {name}</source>
        <translation>没有 {name} 的密钥</translation>
    </message>
    <message>
        <source>There is no key store on this system{detail}</source>
        <translation>此系统上没有密钥库{detail}</translation>
    </message>
    <message>
        <source>There is no message to be answered</source>
        <translation>没有可以回答的消息</translation>
    </message>
    <message>
        <source>There is no parameter {name}</source>
        <translation>没有参数 {name}</translation>
    </message>
    <message>
        <source>There is no provider {provider_id}</source>
        <translation>没有提供商 {provider_id}</translation>
    </message>
    <message>
        <source>There is no script for request {2}</source>
        <translation>没有用于请求 {2} 的脚本</translation>
    </message>
    <message>
        <source>There is no setting {key}</source>
        <translation>没有设置项 {key}</translation>
    </message>
    <message>
        <source>There is no tool called {name}</source>
        <translation>没有名为 {name} 的工具</translation>
    </message>
    <message>
        <source>There is no wire format {name}</source>
        <translation>没有协议格式 {name}</translation>
    </message>
    <message>
        <source>There is no {2}</source>
        <translation>没有 {2}</translation>
    </message>
    <message>
        <source>There is no {path}</source>
        <translation>没有 {path}</translation>
    </message>
    <message>
        <source>They stand in the proxy&apos;s address, as in http://user:password@host:port. {hint}</source>
        <translation>用户名和密码写在代理地址中，例如 http://user:password@host:port。{hint}</translation>
    </message>
    <message>
        <source>This answer cannot be continued</source>
        <translation>此回答无法继续</translation>
    </message>
    <message>
        <source>This conversation has no folder, so no file can be used</source>
        <translation>此对话没有文件夹，因此无法使用文件</translation>
    </message>
    <message>
        <source>This conversation is not stored</source>
        <translation>此对话未保存</translation>
    </message>
    <message>
        <source>This conversation is still answering</source>
        <translation>此对话仍在回答</translation>
    </message>
    <message>
        <source>This message is damaged and cannot be edited</source>
        <translation>此消息已损坏，无法编辑</translation>
    </message>
    <message>
        <source>This message is not in the conversation any more</source>
        <translation>此消息已不在对话中</translation>
    </message>
    <message>
        <source>This system knows no time zone {name}</source>
        <translation>此系统不认识时区 {name}</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>请稍后再试。</translation>
    </message>
    <message>
        <source>Unlock it and try again. {instead}</source>
        <translation>请将其解锁后重试。{instead}</translation>
    </message>
    <message>
        <source>Unlock the key store and try again.</source>
        <translation>请解锁密钥库后重试。</translation>
    </message>
    <message>
        <source>Until then give the key for this session only, or name an environment variable in Settings › Providers.</source>
        <translation>在此之前请输入仅用于本次运行的密钥，或在“设置 › 提供商”中指定环境变量。</translation>
    </message>
    <message>
        <source>Update agdesk, or start this one with another --data-dir.</source>
        <translation>请更新 agdesk，或用其他 --data-dir 启动此版本。</translation>
    </message>
    <message>
        <source>Use a path inside it.</source>
        <translation>请使用其中的路径。</translation>
    </message>
    <message>
        <source>Use custom/MODEL for another server.</source>
        <translation>其他服务器请使用 custom/MODEL。</translation>
    </message>
    <message>
        <source>Use its window, or choose another folder with --data-dir.</source>
        <translation>请使用它的窗口，或用 --data-dir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Use letters, digits and signs of ASCII.</source>
        <translation>请使用字母、数字和 ASCII 符号。</translation>
    </message>
    <message>
        <source>Use small letters, digits and dashes, as in openai-work.</source>
        <translation>请使用小写字母、数字和连字符，例如 openai-work。</translation>
    </message>
    <message>
        <source>Use the new address as the base URL of this provider.</source>
        <translation>请将新地址用作此提供商的 Base URL。</translation>
    </message>
    <message>
        <source>Use the newer agdesk, or choose another folder with --data-dir.</source>
        <translation>请使用更新版本的 agdesk，或用 --data-dir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Value error, {rest}</source>
        <translation>值错误，{rest}</translation>
    </message>
    <message>
        <source>Wait and send again, or choose another model.</source>
        <translation>请稍后再发送，或选择其他模型。</translation>
    </message>
    <message>
        <source>What had arrived is kept. Send the message again for a whole answer.</source>
        <translation>已到达的内容会保留。如需完整回答，请重新发送该消息。</translation>
    </message>
    <message>
        <source>What shall stand there instead.</source>
        <translation>替换成的文字。</translation>
    </message>
    <message>
        <source>What {2} gave back:</source>
        <translation>{2} 返回的内容：</translation>
    </message>
    <message>
        <source>Whether capital and small letters are the same.</source>
        <translation>是否不区分大小写。</translation>
    </message>
    <message>
        <source>Whole, with https:// or http://.</source>
        <translation>完整地址，含 https:// 或 http://。</translation>
    </message>
    <message>
        <source>Write a name, a colon and a value, as in X-Title: agdesk.</source>
        <translation>请写成名称、冒号和值，例如 X-Title: agdesk。</translation>
    </message>
    <message>
        <source>Write it as NAME=JSON, as in temperature=0.2.</source>
        <translation>请写成 NAME=JSON，例如 temperature=0.2。</translation>
    </message>
    <message>
        <source>Write it as PROVIDER/MODEL, as in openai/gpt-5.</source>
        <translation>请写成 PROVIDER/MODEL，例如 openai/gpt-5。</translation>
    </message>
    <message>
        <source>Write it as http://host:port in Settings › Network, or choose another proxy there.</source>
        <translation>请在“设置 › 网络”中写成 http://host:port，或在那里选择其他代理。</translation>
    </message>
    <message>
        <source>Write it as https://host/v1.</source>
        <translation>请写成 https://host/v1。</translation>
    </message>
    <message>
        <source>Write it as in X-Title: agdesk.</source>
        <translation>请写成 X-Title: agdesk 的形式。</translation>
    </message>
    <message>
        <source>Write {2} or a context window such as 200k, with commas.</source>
        <translation>请填写 {2} 或上下文窗口（例如 200k），以逗号分隔。</translation>
    </message>
    <message>
        <source>Writes a text file in the conversation&apos;s folder: a new one, or in place of the one that is there. Missing folders are made.</source>
        <translation>在对话的文件夹中写入文本文件：新建，或替换已有的文件。缺少的文件夹会自动创建。</translation>
    </message>
    <message>
        <source>a block {kind} has no place in this message and was left out</source>
        <translation>块 {kind} 不能放在此消息中，已略去</translation>
    </message>
    <message>
        <source>a block {kind} of {provider} was left out: it is not from this provider</source>
        <translation>{provider} 的块 {kind} 已略去：它不是来自此提供商</translation>
    </message>
    <message>
        <source>a block {kind} that is no object was left out</source>
        <translation>不是对象的块 {kind} 已略去</translation>
    </message>
    <message>
        <source>a block {kind} was left out: it was not finished</source>
        <translation>块 {kind} 已略去：它没有完成</translation>
    </message>
    <message>
        <source>a call got a mark that skips Google&apos;s check of its signature</source>
        <translation>为一个调用加上了跳过 Google 签名检查的标记</translation>
    </message>
    <message>
        <source>a call of a custom tool is sent as one of a function</source>
        <translation>自定义工具的调用按函数调用发送</translation>
    </message>
    <message>
        <source>a call of a provider&apos;s own tool was left out: its arguments were cut</source>
        <translation>提供商自有工具的调用已略去：其参数不完整</translation>
    </message>
    <message>
        <source>a call of a provider&apos;s own tool was left out: its result never came</source>
        <translation>提供商自有工具的调用已略去：没有收到其结果</translation>
    </message>
    <message>
        <source>a call without a name was left out</source>
        <translation>没有名称的调用已略去</translation>
    </message>
    <message>
        <source>a call without a result got the result {cancelled}</source>
        <translation>没有结果的调用以 {cancelled} 作为结果</translation>
    </message>
    <message>
        <source>a call without an id got one</source>
        <translation>为没有 ID 的调用补上了 ID</translation>
    </message>
    <message>
        <source>a choice of tools of another kind is read as auto</source>
        <translation>其他类型的工具选择按 auto 读取</translation>
    </message>
    <message>
        <source>a content part that is no object was left out</source>
        <translation>不是对象的内容部分已略去</translation>
    </message>
    <message>
        <source>a file of type {media_type} was left out: this format takes PDF and text</source>
        <translation>类型为 {media_type} 的文件已略去：此格式接收 PDF 和文本</translation>
    </message>
    <message>
        <source>a file was left out: this provider takes none</source>
        <translation>文件已略去：此提供商不接收文件</translation>
    </message>
    <message>
        <source>a message of role {role} was left out</source>
        <translation>角色为 {role} 的消息已略去</translation>
    </message>
    <message>
        <source>a message of the user was added in front: this format begins with one</source>
        <translation>在开头加了一条用户消息：此格式以用户消息开始</translation>
    </message>
    <message>
        <source>a message with nothing that can be sent was left out</source>
        <translation>没有可发送内容的消息已略去</translation>
    </message>
    <message>
        <source>a message {first_text} of the user was put in front: this format begins with one</source>
        <translation>在开头加了用户消息 {first_text}：此格式以用户消息开始</translation>
    </message>
    <message>
        <source>a record is out of place</source>
        <translation>有一条记录位置不对</translation>
    </message>
    <message>
        <source>a result of a provider&apos;s own tool was left out: its call is not there</source>
        <translation>提供商自有工具的结果已略去：缺少对应的调用</translation>
    </message>
    <message>
        <source>a stop sequence of white space alone was left out</source>
        <translation>只含空白的停止序列已略去</translation>
    </message>
    <message>
        <source>a system message in the middle was moved to the front</source>
        <translation>中间的系统消息已移到开头</translation>
    </message>
    <message>
        <source>a system text was added, as the provider&apos;s row says</source>
        <translation>按提供商配置加入了系统文本</translation>
    </message>
    <message>
        <source>a text file is sent as text, below its name</source>
        <translation>文本文件以文本形式发送，前面写有文件名</translation>
    </message>
    <message>
        <source>a tool result answers no call</source>
        <translation>有一个工具结果没有对应的调用</translation>
    </message>
    <message>
        <source>a tool that is no function was left out</source>
        <translation>不是函数的工具已略去</translation>
    </message>
    <message>
        <source>agdesk itself failed during this turn</source>
        <translation>agdesk 自身在这一轮中出错</translation>
    </message>
    <message>
        <source>an answer without text and calls was left out</source>
        <translation>没有文本和调用的回答已略去</translation>
    </message>
    <message>
        <source>an audio clip was left out: this provider takes none</source>
        <translation>音频已略去：此提供商不接收音频</translation>
    </message>
    <message>
        <source>an empty message was left out</source>
        <translation>空消息已略去</translation>
    </message>
    <message>
        <source>an empty piece of thinking was left out</source>
        <translation>空的思考片段已略去</translation>
    </message>
    <message>
        <source>an image of type {media_type} was left out: this format takes {taken}</source>
        <translation>类型为 {media_type} 的图片已略去：此格式接收 {taken}</translation>
    </message>
    <message>
        <source>an image was left out: its bytes are not at hand</source>
        <translation>图片已略去：本机没有其内容</translation>
    </message>
    <message>
        <source>an image was left out: this provider takes none</source>
        <translation>图片已略去：此提供商不接收图片</translation>
    </message>
    <message>
        <source>an image was left out: this provider takes only images whose bytes are in the message</source>
        <translation>图片已略去：此提供商只接收内容在消息中的图片</translation>
    </message>
    <message>
        <source>answers after the first were left out</source>
        <translation>第一个之后的回答已略去</translation>
    </message>
    <message>
        <source>arguments that are no JSON object are sent as {invalid_arguments}</source>
        <translation>不是 JSON 对象的参数以 {invalid_arguments} 发送</translation>
    </message>
    <message>
        <source>changed arguments of a call are sent in place of the model&apos;s own</source>
        <translation>发送的是更改后的调用参数，而不是模型给出的参数</translation>
    </message>
    <message>
        <source>citations of a text were left out</source>
        <translation>文本的引用已略去</translation>
    </message>
    <message>
        <source>empty thinking was added to answers without any: this provider wants some in each</source>
        <translation>为没有思考的回答加入了空的思考：此提供商要求每个回答都有</translation>
    </message>
    <message>
        <source>figures of the usage that the IR does not know were left out</source>
        <translation>未知的用量数据已略去</translation>
    </message>
    <message>
        <source>how strictly a schema is kept was left out: this provider cannot be told</source>
        <translation>Schema 的严格程度已略去：无法告知此提供商</translation>
    </message>
    <message>
        <source>how tools are chosen was left out: there are none</source>
        <translation>工具的选择方式已略去：没有工具</translation>
    </message>
    <message>
        <source>images and files among the results of tools follow them as parts of their own</source>
        <translation>工具结果中的图片和文件作为单独的部分跟在后面</translation>
    </message>
    <message>
        <source>it has expired</source>
        <translation>证书已过期</translation>
    </message>
    <message>
        <source>it holds no certificate in PEM form</source>
        <translation>其中没有 PEM 格式的证书</translation>
    </message>
    <message>
        <source>it is no list of models</source>
        <translation>不是模型列表</translation>
    </message>
    <message>
        <source>it is not valid yet</source>
        <translation>证书尚未生效</translation>
    </message>
    <message>
        <source>it was refused once</source>
        <translation>曾被拒绝</translation>
    </message>
    <message>
        <source>list_directory lists what is in it.</source>
        <translation>list_directory 可列出其中的内容。</translation>
    </message>
    <message>
        <source>max_completion_tokens is read as the same as max_tokens</source>
        <translation>max_completion_tokens 按 max_tokens 读取</translation>
    </message>
    <message>
        <source>media in a tool result follow it as a message of the user</source>
        <translation>工具结果中的媒体作为用户消息跟在后面</translation>
    </message>
    <message>
        <source>messages of one side were joined: this provider wants both to speak by turns</source>
        <translation>同一方的消息已合并：此提供商要求双方轮流发言</translation>
    </message>
    <message>
        <source>of an audio answer only the id is sent back</source>
        <translation>音频回答只发回其 ID</translation>
    </message>
    <message>
        <source>of several {kind} blocks only the first is sent</source>
        <translation>多个 {kind} 块中只发送第一个</translation>
    </message>
    <message>
        <source>of the thinking options only the effort can be sent</source>
        <translation>思考选项中只能发送强度</translation>
    </message>
    <message>
        <source>of the thinking options {2} was left out: this provider has no word for it</source>
        <translation>思考选项中的 {2} 已略去：此提供商没有对应的参数</translation>
    </message>
    <message>
        <source>only the tool to be called is offered: this provider has no word for calling it</source>
        <translation>只提供要调用的工具：此提供商没有指定调用的参数</translation>
    </message>
    <message>
        <source>opaque data of a call was left out</source>
        <translation>调用的附带数据已略去</translation>
    </message>
    <message>
        <source>opaque data of a call was left out: it is not from this provider</source>
        <translation>调用的附带数据已略去：它不是来自此提供商</translation>
    </message>
    <message>
        <source>opaque data of a text was left out</source>
        <translation>文本的附带数据已略去</translation>
    </message>
    <message>
        <source>opaque data of thinking was left out</source>
        <translation>思考的附带数据已略去</translation>
    </message>
    <message>
        <source>opaque data of {name} was left out: it is not from this provider</source>
        <translation>{name} 的附带数据已略去：它不是来自此提供商</translation>
    </message>
    <message>
        <source>opaque data of {what} was left out: it is not from this provider</source>
        <translation>{what} 的附带数据已略去：它不是来自此提供商</translation>
    </message>
    <message>
        <source>parts of the definition of {name} were left out</source>
        <translation>{name} 的部分定义已略去</translation>
    </message>
    <message>
        <source>results of calls that are not there were left out</source>
        <translation>没有对应调用的结果已略去</translation>
    </message>
    <message>
        <source>self-signed, or by an authority that is not known here</source>
        <translation>证书为自签名，或由本机未知的机构签发</translation>
    </message>
    <message>
        <source>several pieces of thinking are sent as one</source>
        <translation>多段思考合并为一段发送</translation>
    </message>
    <message>
        <source>that a text is a refusal is not said</source>
        <translation>没有说明文本是拒绝</translation>
    </message>
    <message>
        <source>that a tool failed is said as {error_prefix} before its result</source>
        <translation>工具失败以结果前的 {error_prefix} 表示</translation>
    </message>
    <message>
        <source>that a tool must be called was left out: this provider cannot be told</source>
        <translation>必须调用工具的要求已略去：无法告知此提供商</translation>
    </message>
    <message>
        <source>the answer is limited to {default_max_tokens} tokens: this format demands a limit</source>
        <translation>回答限制为 {default_max_tokens} 个 token：此格式要求设置上限</translation>
    </message>
    <message>
        <source>the answer may not keep to its format: Ollama&apos;s cloud does not enforce it</source>
        <translation>回答可能不符合其格式：Ollama 云端不强制执行</translation>
    </message>
    <message>
        <source>the answer {gap} was put after results: this provider wants the model to speak next</source>
        <translation>在结果之后加入了回答 {gap}：此提供商要求接着由模型发言</translation>
    </message>
    <message>
        <source>the borders between messages of tool results are not kept</source>
        <translation>工具结果各消息之间的分界没有保留</translation>
    </message>
    <message>
        <source>the budget for thinking was left out: this format has an effort only</source>
        <translation>思考预算已略去：此格式只有强度</translation>
    </message>
    <message>
        <source>the budget for thinking was left out: this provider cannot be told</source>
        <translation>思考预算已略去：无法告知此提供商</translation>
    </message>
    <message>
        <source>the effort of thinking was left out: there is a budget</source>
        <translation>思考强度已略去：已有预算</translation>
    </message>
    <message>
        <source>the effort of thinking was left out: thinking is off</source>
        <translation>思考强度已略去：思考已关闭</translation>
    </message>
    <message>
        <source>the effort {effort} is sent as thinking being on: this provider has {4}</source>
        <translation>强度 {effort} 以开启思考发送：此提供商有 {4}</translation>
    </message>
    <message>
        <source>the effort {effort} is sent as {sent}</source>
        <translation>强度 {effort} 以 {sent} 发送</translation>
    </message>
    <message>
        <source>the end {value} ({raw}) is said as {word}</source>
        <translation>结束原因 {value}（{raw}）表示为 {word}</translation>
    </message>
    <message>
        <source>the error that ended the answer is not said</source>
        <translation>没有说明使回答结束的错误</translation>
    </message>
    <message>
        <source>the form of the answer was left out: this provider takes either it or tools</source>
        <translation>回答的格式已略去：此提供商只能在格式与工具中取其一</translation>
    </message>
    <message>
        <source>the format of the answer was left out: this provider wants a schema for it</source>
        <translation>回答的格式已略去：此提供商要求提供 Schema</translation>
    </message>
    <message>
        <source>the id of a call was changed to one that this provider takes</source>
        <translation>调用的 ID 已改为此提供商接受的 ID</translation>
    </message>
    <message>
        <source>the media type of {2} is said as {said}</source>
        <translation>{2} 的媒体类型表示为 {said}</translation>
    </message>
    <message>
        <source>the model is not made to call a tool: thinking does not allow it</source>
        <translation>不强制模型调用工具：思考时不允许</translation>
    </message>
    <message>
        <source>the name of a call was changed to one that this provider takes</source>
        <translation>调用的名称已改为此提供商接受的名称</translation>
    </message>
    <message>
        <source>the name of a tool is not said beside its result</source>
        <translation>工具结果旁没有写明工具名称</translation>
    </message>
    <message>
        <source>the name of an image was left out</source>
        <translation>图片的名称已略去</translation>
    </message>
    <message>
        <source>the name of the speaker was left out</source>
        <translation>发言者的名称已略去</translation>
    </message>
    <message>
        <source>the name of {kind} was left out</source>
        <translation>{kind} 的名称已略去</translation>
    </message>
    <message>
        <source>the name of {name} was left out</source>
        <translation>{name} 的名称已略去</translation>
    </message>
    <message>
        <source>the order of thinking, text and calls is not kept</source>
        <translation>思考、文本与调用的顺序没有保留</translation>
    </message>
    <message>
        <source>the provider&apos;s list does not have it among this model&apos;s parameters</source>
        <translation>提供商列出的该模型参数中没有它</translation>
    </message>
    <message>
        <source>the role developer is read as system</source>
        <translation>角色 developer 按 system 读取</translation>
    </message>
    <message>
        <source>the role function is read as tool</source>
        <translation>角色 function 按 tool 读取</translation>
    </message>
    <message>
        <source>the schema of the answer is enforced: this format knows no other way</source>
        <translation>强制执行回答的 Schema：此格式没有其他方式</translation>
    </message>
    <message>
        <source>the schema of the answer was left out: this provider can only be asked for any JSON object</source>
        <translation>回答的 Schema 已略去：只能要求此提供商返回任意 JSON 对象</translation>
    </message>
    <message>
        <source>the seed was left out: this format has none</source>
        <translation>随机种子已略去：此格式没有种子</translation>
    </message>
    <message>
        <source>the signature of a call was left out: the call is not sent as it was made</source>
        <translation>调用的签名已略去：调用不是按原样发送</translation>
    </message>
    <message>
        <source>the signature of thinking was left out</source>
        <translation>思考的签名已略去</translation>
    </message>
    <message>
        <source>the stop sequences were left out: this format has none</source>
        <translation>停止序列已略去：此格式没有停止序列</translation>
    </message>
    <message>
        <source>the temperature was left out: thinking does not allow it</source>
        <translation>温度已略去：思考时不允许</translation>
    </message>
    <message>
        <source>the temperature {temperature} is sent as 1: this format goes no higher</source>
        <translation>温度 {temperature} 以 1 发送：此格式不允许更高</translation>
    </message>
    <message>
        <source>the thinking budget was changed from {budget} to {fitting} tokens: it is at least {min_budget_tokens} and less than the whole answer may have</source>
        <translation>思考预算已从 {budget} 改为 {fitting} 个 token：至少为 {min_budget_tokens}，且小于整个回答的上限</translation>
    </message>
    <message>
        <source>the thinking budget was left out: thinking is off</source>
        <translation>思考预算已略去：思考已关闭</translation>
    </message>
    <message>
        <source>the tools were left out, so that none is called: this provider cannot be told</source>
        <translation>为避免调用工具，工具已略去：无法告知此提供商</translation>
    </message>
    <message>
        <source>the tools were left out: this provider has no word for not calling them</source>
        <translation>工具已略去：此提供商没有禁止调用的参数</translation>
    </message>
    <message>
        <source>thinking at the end of an answer was left out: it must be followed by something</source>
        <translation>回答末尾的思考已略去：其后必须有内容</translation>
    </message>
    <message>
        <source>thinking at the end of an answer was left out: something must follow it</source>
        <translation>回答末尾的思考已略去：其后必须有内容</translation>
    </message>
    <message>
        <source>thinking was left out: compaction cannot shorten what is signed</source>
        <translation>思考已省略：压缩无法缩短带签名的内容</translation>
    </message>
    <message>
        <source>thinking was left out: it cannot be sent back here</source>
        <translation>思考已略去：无法发回此处</translation>
    </message>
    <message>
        <source>thinking was left out: it is not from this provider</source>
        <translation>思考已略去：它不是来自此提供商</translation>
    </message>
    <message>
        <source>thinking was left out: it takes more than {min_budget_tokens} tokens of output</source>
        <translation>思考已略去：需要多于 {min_budget_tokens} 个输出 token</translation>
    </message>
    <message>
        <source>thinking was left out: the answer that goes on after these results began without any</source>
        <translation>思考已略去：在这些结果之后继续的回答开始时没有思考</translation>
    </message>
    <message>
        <source>thinking was left out: this provider does not take it back</source>
        <translation>思考已略去：此提供商不接收发回的思考</translation>
    </message>
    <message>
        <source>thinking without a signature was left out: this provider does not take it back</source>
        <translation>没有签名的思考已略去：此提供商不接收发回的思考</translation>
    </message>
    <message>
        <source>thinking without its signature was left out</source>
        <translation>缺少签名的思考已略去</translation>
    </message>
    <message>
        <source>this model does not think</source>
        <translation>该模型不会思考</translation>
    </message>
    <message>
        <source>this model has no tools</source>
        <translation>该模型没有工具</translation>
    </message>
    <message>
        <source>this model refuses it</source>
        <translation>该模型拒绝此参数</translation>
    </message>
    <message>
        <source>this provider has no word for it</source>
        <translation>该提供商没有对应的参数</translation>
    </message>
    <message>
        <source>tool results became messages of their own</source>
        <translation>工具结果已成为单独的消息</translation>
    </message>
    <message>
        <source>tool results inside the answer were left out</source>
        <translation>回答中的工具结果已略去</translation>
    </message>
    <message>
        <source>top_k was left out: thinking does not allow it</source>
        <translation>top_k 已略去：思考时不允许</translation>
    </message>
    <message>
        <source>top_p was left out: thinking does not allow it</source>
        <translation>top_p 已略去：思考时不允许</translation>
    </message>
    <message>
        <source>what is not text in a system message was left out</source>
        <translation>系统消息中的非文本内容已略去</translation>
    </message>
    <message>
        <source>what is not text in the result of a failed call was left out</source>
        <translation>失败调用结果中的非文本内容已略去</translation>
    </message>
    <message>
        <source>what the answer cost is not said</source>
        <translation>没有说明回答的费用</translation>
    </message>
    <message>
        <source>what the results of tools mean is not said</source>
        <translation>没有说明工具结果的含义</translation>
    </message>
    <message>
        <source>whether a tool is called was left to the model: this provider forces no call</source>
        <translation>是否调用工具由模型决定：此提供商不强制调用</translation>
    </message>
    <message>
        <source>whether calls may be parallel was left out: this format cannot say it</source>
        <translation>能否并行调用已略去：此格式无法表示</translation>
    </message>
    <message>
        <source>whether calls may be parallel was left out: this provider cannot be told</source>
        <translation>能否并行调用已略去：无法告知此提供商</translation>
    </message>
    <message>
        <source>whether the schema of the answer is strict was left out: this format cannot say it</source>
        <translation>回答的 Schema 是否严格已略去：此格式无法表示</translation>
    </message>
    <message>
        <source>which tool is called was left to the model: this provider forces no call while it thinks</source>
        <translation>调用哪个工具由模型决定：此提供商在思考时不强制调用</translation>
    </message>
    <message>
        <source>white space at the end of the last answer was left out</source>
        <translation>最后一个回答末尾的空白已略去</translation>
    </message>
    <message>
        <source>who wrote the message is not said</source>
        <translation>没有说明消息由谁所写</translation>
    </message>
    <message>
        <source>why a call must not run is not said</source>
        <translation>没有说明调用不得执行的原因</translation>
    </message>
    <message>
        <source>write_file makes a new file.</source>
        <translation>write_file 可新建文件。</translation>
    </message>
    <message>
        <source>{1} cannot be started: {error}</source>
        <translation>{1} 无法启动：{error}</translation>
    </message>
    <message>
        <source>{1} has no place in this message and was left out</source>
        <translation>{1} 不能放在此消息中，已略去</translation>
    </message>
    <message>
        <source>{1} is longer than {limit_bytes} bytes</source>
        <translation>{1} 超过 {limit_bytes} 字节</translation>
    </message>
    <message>
        <source>{1} is no type of JSON Schema</source>
        <translation>{1} 不是 JSON Schema 的类型</translation>
    </message>
    <message>
        <source>{account_id} cannot be the id of an account</source>
        <translation>{account_id} 不能用作账户 ID</translation>
    </message>
    <message>
        <source>{assignment} sets nothing</source>
        <translation>{assignment} 没有设置任何参数</translation>
    </message>
    <message>
        <source>{host} cannot be reached</source>
        <translation>无法连接到 {host}</translation>
    </message>
    <message>
        <source>{host} closed the connection without an answer</source>
        <translation>{host} 未作回答就关闭了连接</translation>
    </message>
    <message>
        <source>{host} cut the answer off</source>
        <translation>{host} 中断了回答</translation>
    </message>
    <message>
        <source>{host} did not accept a connection in time</source>
        <translation>{host} 没有及时接受连接</translation>
    </message>
    <message>
        <source>{host} is at {ip}, an address of this machine or of a local network</source>
        <translation>{host} 位于 {ip}，这是本机或本地网络的地址</translation>
    </message>
    <message>
        <source>{host} refused the connection</source>
        <translation>{host} 拒绝了连接</translation>
    </message>
    <message>
        <source>{host} sent something that is not HTTP</source>
        <translation>{host} 发送的内容不是 HTTP</translation>
    </message>
    <message>
        <source>{kind} came beside the answer and is not sent back</source>
        <translation>{kind} 是随回答附带的，不会发回</translation>
    </message>
    <message>
        <source>{kind} was left out: its bytes are not at hand</source>
        <translation>{kind} 已略去：本机没有其内容</translation>
    </message>
    <message>
        <source>{kind} was left out: this format cannot say where it is</source>
        <translation>{kind} 已略去：此格式无法说明其位置</translation>
    </message>
    <message>
        <source>{left_out} stands for a message of which nothing could be sent</source>
        <translation>{left_out} 代替一条没有可发送内容的消息</translation>
    </message>
    <message>
        <source>{member} of a content part was left out</source>
        <translation>内容部分的 {member} 已略去</translation>
    </message>
    <message>
        <source>{member} of a {3} message was left out</source>
        <translation>{3} 消息的 {member} 已略去</translation>
    </message>
    <message>
        <source>{member} of the extra members was left out</source>
        <translation>其他成员中的 {member} 已略去</translation>
    </message>
    <message>
        <source>{member} was left out: it belongs to the transport</source>
        <translation>{member} 已略去：它属于传输层</translation>
    </message>
    <message>
        <source>{member} was left out: this provider refuses it</source>
        <translation>{member} 已略去：此提供商拒绝它</translation>
    </message>
    <message>
        <source>{model_ref} names no model</source>
        <translation>{model_ref} 不是模型名称</translation>
    </message>
    <message>
        <source>{model} is known to lack what is needed: {3}</source>
        <translation>已知 {model} 缺少所需的能力：{3}</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}</source>
        <translation>无法读取 {name}：{reason}</translation>
    </message>
    <message>
        <source>{name} comes with agdesk</source>
        <translation>{name} 是 agdesk 自带的</translation>
    </message>
    <message>
        <source>{name} did not finish within {timeout_s} s and was stopped{unknown}</source>
        <translation>{name} 未在 {timeout_s} s 内完成，已停止{unknown}</translation>
    </message>
    <message>
        <source>{name} has a wire format of its own</source>
        <translation>{name} 有自己的协议格式</translation>
    </message>
    <message>
        <source>{name} has no base URL</source>
        <translation>{name} 没有 Base URL</translation>
    </message>
    <message>
        <source>{name} has to be {wanted}</source>
        <translation>{name} 必须是 {wanted}</translation>
    </message>
    <message>
        <source>{name} has {width} × {height} pixels, more than can be sent</source>
        <translation>{name} 为 {width} × {height} 像素，超出可发送的大小</translation>
    </message>
    <message>
        <source>{name} is a folder</source>
        <translation>{name} 是文件夹</translation>
    </message>
    <message>
        <source>{name} is an archive or an office document</source>
        <translation>{name} 是压缩包或办公文档</translation>
    </message>
    <message>
        <source>{name} is damaged or cut off</source>
        <translation>{name} 已损坏或不完整</translation>
    </message>
    <message>
        <source>{name} is empty</source>
        <translation>{name} 为空</translation>
    </message>
    <message>
        <source>{name} is larger than {3}&#x202f;MB, the most that is sent of {said}</source>
        <translation>{name} 大于 {3} MB，超出{said}的发送上限</translation>
    </message>
    <message>
        <source>{name} is of a kind that no model takes</source>
        <translation>{name} 的类型没有模型能够接收</translation>
    </message>
    <message>
        <source>{name} of compaction is {value}</source>
        <translation>压缩的 {name} 为 {value}</translation>
    </message>
    <message>
        <source>{name} was left out: it was uploaded to another provider</source>
        <translation>{name} 已略去：它上传到了另一个提供商</translation>
    </message>
    <message>
        <source>{name} was left out: its bytes are not at hand</source>
        <translation>{name} 已略去：本机没有其内容</translation>
    </message>
    <message>
        <source>{name} was left out: this format cannot say where it is</source>
        <translation>{name} 已略去：此格式无法说明其位置</translation>
    </message>
    <message>
        <source>{name} was not run, its arguments are not valid: {found}</source>
        <translation>{name} 未运行，其参数无效：{found}</translation>
    </message>
    <message>
        <source>{name} was not run: {3}</source>
        <translation>{name} 未运行：{3}</translation>
    </message>
    <message>
        <source>{name}, chosen by {place}, does not keep secrets in the operating system&apos;s key store</source>
        <translation>{place} 选用的 {name} 不把密钥保存在操作系统的密钥库中</translation>
    </message>
    <message>
        <source>{nothing}Unlock it and try again, or give the key for this session only.</source>
        <translation>{nothing}请将其解锁后重试，或输入仅用于本次运行的密钥。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {3}</source>
        <translation>无法读取 {path}：{3}</translation>
    </message>
    <message>
        <source>{path} cannot be used: {3}</source>
        <translation>{path} 无法使用：{3}</translation>
    </message>
    <message>
        <source>{path} cannot be written: {3}</source>
        <translation>无法写入 {path}：{3}</translation>
    </message>
    <message>
        <source>{path} has changed since the change was shown to the user; nothing was written</source>
        <translation>向用户显示更改之后，{path} 已变化；未写入任何内容</translation>
    </message>
    <message>
        <source>{path} is a folder</source>
        <translation>{path} 是文件夹</translation>
    </message>
    <message>
        <source>{path} is a link</source>
        <translation>{path} 是链接</translation>
    </message>
    <message>
        <source>{path} is no file but a device, a pipe or a socket</source>
        <translation>{path} 不是文件，而是设备、管道或套接字</translation>
    </message>
    <message>
        <source>{path} is no path of a file: Windows takes {part} for something else</source>
        <translation>{path} 不是文件路径：Windows 把 {part} 当作别的东西</translation>
    </message>
    <message>
        <source>{path} is no text file ({size_bytes} bytes)</source>
        <translation>{path} 不是文本文件（{size_bytes} 字节）</translation>
    </message>
    <message>
        <source>{path} is outside the conversation&apos;s folder {root}</source>
        <translation>{path} 在对话的文件夹 {root} 之外</translation>
    </message>
    <message>
        <source>{path} makes keyring load modules from a folder of its own</source>
        <translation>{path} 让 keyring 从它自己的文件夹加载模块</translation>
    </message>
    <message>
        <source>{path} was written by a newer agdesk: it has version {version}, this one knows {5}</source>
        <translation>{path} 由更新版本的 agdesk 写入：其版本为 {version}，此版本支持到 {5}</translation>
    </message>
    <message>
        <source>{path}: a part of it is no folder, or a link</source>
        <translation>{path}：其中一部分不是文件夹，或是链接</translation>
    </message>
    <message>
        <source>{place}, then send again.</source>
        <translation>{place}，然后重新发送。</translation>
    </message>
    <message>
        <source>{typed} is not the address of a server</source>
        <translation>{typed} 不是服务器地址</translation>
    </message>
    <message>
        <source>{url} came compressed, which was not asked for</source>
        <translation>{url} 返回了压缩内容，但并未请求压缩</translation>
    </message>
    <message>
        <source>{url} is no address that can be fetched</source>
        <translation>{url} 不是可以获取的地址</translation>
    </message>
    <message>
        <source>{url} is no text but {media_type}</source>
        <translation>{url} 不是文本，而是 {media_type}</translation>
    </message>
    <message>
        <source>{url} redirects more than {max_redirects} times</source>
        <translation>{url} 重定向超过 {max_redirects} 次</translation>
    </message>
    <message>
        <source>{what} is a {scheme} proxy, which agdesk cannot use</source>
        <translation>{what}是 {scheme} 代理，agdesk 无法使用</translation>
    </message>
    <message>
        <source>{what} is no address</source>
        <translation>{what}不是地址</translation>
    </message>
    <message>
        <source>{what} is no address of an HTTP proxy</source>
        <translation>{what}不是 HTTP 代理的地址</translation>
    </message>
    <message>
        <source>{word} is no need</source>
        <translation>{word} 不是可用的条件</translation>
    </message>
</context>
<context>
    <name>CoreWords</name>
    <message>
        <source>.</source>
        <translation>。</translation>
    </message>
</context>
<context>
    <name>CostButton</name>
    <message>
        <source>What it is made of, the prices and where they come from</source>
        <translation>费用构成、价格及其来源</translation>
    </message>
    <message>
        <source>{cost}. Prices…</source>
        <translation>{cost}。查看价格…</translation>
    </message>
</context>
<context>
    <name>CostSheet</name>
    <message>
        <source>Correct prices…</source>
        <translation>更正价格…</translation>
    </message>
    <message>
        <source>Correct the prices of {model}</source>
        <translation>更正 {model} 的价格</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Looking up the prices…</source>
        <translation>正在查询价格…</translation>
    </message>
    <message>
        <source>Nothing was answered yet.</source>
        <translation>还没有任何回答。</translation>
    </message>
    <message>
        <source>This conversation: {cost}</source>
        <translation>本对话：{cost}</translation>
    </message>
</context>
<context>
    <name>CostText</name>
    <message>
        <source>${price} per million tokens</source>
        <translation>每百万 token ${price}</translation>
    </message>
    <message>
        <source>Cached input: {price}</source>
        <translation>缓存输入：{price}</translation>
    </message>
    <message>
        <source>Catalogue: {name}, prices checked up to {date}.</source>
        <translation>内置目录：{name}，价格核对至 {date}。</translation>
    </message>
    <message>
        <source>Catalogue: {name}.</source>
        <translation>内置目录：{name}。</translation>
    </message>
    <message>
        <source>Input written to the cache: {price}</source>
        <translation>写入缓存的输入：{price}</translation>
    </message>
    <message>
        <source>Input: {price}</source>
        <translation>输入：{price}</translation>
    </message>
    <message>
        <source>Nobody knows the prices of this model.</source>
        <translation>没有该模型的价格信息。</translation>
    </message>
    <message>
        <source>Output: {price}</source>
        <translation>输出：{price}</translation>
    </message>
    <message>
        <source>With your prices, cached tokens cost what other input does.</source>
        <translation>使用自定义价格时，缓存 token 与其他输入同价。</translation>
    </message>
    <message>
        <source>catalogue</source>
        <translation>内置目录</translation>
    </message>
    <message>
        <source>the provider&apos;s list</source>
        <translation>提供商的列表</translation>
    </message>
    <message>
        <source>the provider&apos;s row</source>
        <translation>提供商的预设</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>{count} of unknown cost, the others {cost}</source>
        <translation>{count} 次费用未知，其余 {cost}</translation>
    </message>
    <message>
        <source>{count} requests</source>
        <translation>{count} 次请求</translation>
    </message>
    <message>
        <source>{count} told no tokens</source>
        <translation>{count} 次未报告 token</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>复制诊断信息</translation>
    </message>
    <message>
        <source>Details of the error</source>
        <translation>错误详情</translation>
    </message>
    <message>
        <source>Further errors since then: {count}. The log has them.</source>
        <translation>此后又发生 {count} 个错误，详见日志。</translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation>隐藏详情</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>显示详情</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>出错了</translation>
    </message>
    <message>
        <source>Something went wrong inside agdesk</source>
        <translation>agdesk 内部出错</translation>
    </message>
    <message>
        <source>agdesk goes on; save what you need.</source>
        <translation>agdesk 将继续运行，请保存需要的内容。</translation>
    </message>
</context>
<context>
    <name>Desk</name>
    <message>
        <source>Closed “{title}”</source>
        <translation>已关闭“{title}”</translation>
    </message>
    <message>
        <source>Closed “{title}” and stopped its answer; what had arrived is kept</source>
        <translation>已关闭“{title}”并停止回答；已收到的内容会保留</translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation>已删除“{title}”</translation>
    </message>
</context>
<context>
    <name>DetachedWindow</name>
    <message>
        <source>Return to the main window</source>
        <translation>回到主窗口</translation>
    </message>
</context>
<context>
    <name>DetailPane</name>
    <message>
        <source>Choose a record to see what is in it.</source>
        <translation>选择一条记录以查看其内容。</translation>
    </message>
    <message>
        <source>Copy this page</source>
        <translation>复制此页</translation>
    </message>
    <message>
        <source>No bytes have arrived.</source>
        <translation>没有收到任何字节。</translation>
    </message>
    <message>
        <source>Nothing was sent yet.</source>
        <translation>尚未发送任何内容。</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Show all ({size})</source>
        <translation>全部显示（{size}）</translation>
    </message>
    <message>
        <source>The page was copied.</source>
        <translation>已复制此页。</translation>
    </message>
    <message>
        <source>The record</source>
        <translation>记录内容</translation>
    </message>
    <message>
        <source>Typed</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>What is shown of the record</source>
        <translation>显示记录的哪一部分</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Apply “{name}”</source>
        <translation>应用“{name}”</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename conversation</source>
        <translation>重命名对话</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
</context>
<context>
    <name>EditBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Leave the message as it is</source>
        <translation>保持消息不变</translation>
    </message>
    <message>
        <source>Leave the message as it is (Esc)</source>
        <translation>保持消息不变 (Esc)</translation>
    </message>
</context>
<context>
    <name>EffectView</name>
    <message>
        <source>A shell reads the last argument: it can start other programs.</source>
        <translation>最后一个参数由 shell 解释：它可以启动其他程序。</translation>
    </message>
    <message>
        <source>Asks a server; what stands in the address leaves this machine</source>
        <translation>向服务器请求；地址中的内容会离开本机</translation>
    </message>
    <message>
        <source>Changes a file</source>
        <translation>修改文件</translation>
    </message>
    <message>
        <source>Creates a file</source>
        <translation>新建文件</translation>
    </message>
    <message>
        <source>Does nothing beyond its answer</source>
        <translation>除回答外不做任何事</translation>
    </message>
    <message>
        <source>Finding out what the changed arguments would do…</source>
        <translation>正在查明修改后的参数会做什么…</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Starts a program with these arguments</source>
        <translation>用这些参数启动程序</translation>
    </message>
    <message>
        <source>The address is of this machine or a local network.</source>
        <translation>该地址属于本机或本地网络。</translation>
    </message>
    <message>
        <source>The changed arguments cannot run as they are</source>
        <translation>修改后的参数目前无法运行</translation>
    </message>
    <message>
        <source>The connection is not encrypted.</source>
        <translation>连接未加密。</translation>
    </message>
    <message>
        <source>There is no such program.</source>
        <translation>没有这个程序。</translation>
    </message>
    <message>
        <source>Warning: {text}</source>
        <translation>警告：{text}</translation>
    </message>
    <message>
        <source>What changes in the file</source>
        <translation>文件中的变化</translation>
    </message>
    <message>
        <source>What it would do</source>
        <translation>它会做什么</translation>
    </message>
    <message>
        <source>What it would do cannot be told beforehand</source>
        <translation>无法预先得知它会做什么</translation>
    </message>
    <message>
        <source>Writes a file; nothing in it changes</source>
        <translation>写入文件；内容没有变化</translation>
    </message>
    <message>
        <source>address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>resolved to</source>
        <translation>解析为</translation>
    </message>
    <message>
        <source>scheme</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>through</source>
        <translation>经由</translation>
    </message>
    <message>
        <source>why</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>EffortBox</name>
    <message>
        <source>How much the model thinks before it answers</source>
        <translation>模型回答前思考的程度</translation>
    </message>
    <message>
        <source>Reasoning effort</source>
        <translation>推理强度</translation>
    </message>
    <message>
        <source>Thinking: {state}</source>
        <translation>思考：{state}</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>set</source>
        <translation>已设置</translation>
    </message>
</context>
<context>
    <name>ElsewhereRow</name>
    <message>
        <source>Bring it back</source>
        <translation>移回</translation>
    </message>
    <message>
        <source>Bring the call back here</source>
        <translation>将调用移回这里</translation>
    </message>
    <message>
        <source>This call is shown in a window of its own.</source>
        <translation>此调用显示在单独的窗口中。</translation>
    </message>
</context>
<context>
    <name>EntryForm</name>
    <message>
        <source>Keep in the key store</source>
        <translation>保存到密钥库</translation>
    </message>
    <message>
        <source>Key of %1</source>
        <translation>%1 的密钥</translation>
    </message>
    <message>
        <source>Only for this session</source>
        <translation>仅用于本次运行</translation>
    </message>
    <message>
        <source>Paste the key</source>
        <translation>粘贴密钥</translation>
    </message>
</context>
<context>
    <name>EntryModel</name>
    <message>
        <source>not available now</source>
        <translation>当前不可用</translation>
    </message>
</context>
<context>
    <name>FieldControl</name>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
</context>
<context>
    <name>FigureSheet</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>FileControl</name>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Browse for: %1</source>
        <translation>浏览：%1</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message>
        <source>Any window</source>
        <translation>不限窗口</translation>
    </message>
    <message>
        <source>Clear filters</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Least window</source>
        <translation>最小窗口</translation>
    </message>
    <message>
        <source>Only models on this machine or in its network</source>
        <translation>仅显示本机或本地网络中的模型</translation>
    </message>
    <message>
        <source>Only models that are known to have it: {ability}</source>
        <translation>仅显示已知具备此能力的模型：{ability}</translation>
    </message>
    <message>
        <source>Only models that can be used now</source>
        <translation>仅显示现在可用的模型</translation>
    </message>
    <message>
        <source>Shows models of which nobody knows whether they fit, too, after the others</source>
        <translation>把不确定是否符合的模型也列在后面</translation>
    </message>
    <message>
        <source>Window ≥ {size}</source>
        <translation>窗口 ≥ {size}</translation>
    </message>
    <message>
        <source>also unknown</source>
        <translation>含未知</translation>
    </message>
    <message>
        <source>has key</source>
        <translation>有密钥</translation>
    </message>
    <message>
        <source>local</source>
        <translation>本地</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find in the conversation</source>
        <translation>在对话中查找</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一个匹配项</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一个匹配项 (Enter)</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配项</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>上一个匹配项 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Searching… {share}</source>
        <translation>正在搜索… {share}</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>第 {number} 个，共 {total} 个</translation>
    </message>
</context>
<context>
    <name>FlagControl</name>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
</context>
<context>
    <name>FormsPage</name>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>No setting, choice or provider has these words.</source>
        <translation>没有包含这些词的设置、选项或提供商。</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到结果</translation>
    </message>
</context>
<context>
    <name>GaugeWords</name>
    <message>
        <source>Attachments</source>
        <translation>附件</translation>
    </message>
    <message>
        <source>Calls and results</source>
        <translation>调用与结果</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Estimated: ~{tokens}, by the table {estimate} × {ratio}, {source}.</source>
        <translation>估算：~{tokens}，即字节表 {estimate} × {ratio}，{source}。</translation>
    </message>
    <message>
        <source>Reported: nothing yet; no answer of this branch told its tokens.</source>
        <translation>提供商报告：暂无；本分支的回答都未报告 token。</translation>
    </message>
    <message>
        <source>Reported: {count}, the last input and answer of {model}.</source>
        <translation>提供商报告：{count}，来自 {model} 最近一次的输入与回答。</translation>
    </message>
    <message>
        <source>Since then, estimated: ~{tokens}, by the table {estimate} × {ratio}, {source}.</source>
        <translation>此后估算：~{tokens}，即字节表 {estimate} × {ratio}，{source}。</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Text of the conversation</source>
        <translation>对话文本</translation>
    </message>
    <message>
        <source>The next request is longer than the model takes: it is likely to be refused.</source>
        <translation>下一次请求超出模型上限，很可能被拒绝。</translation>
    </message>
    <message>
        <source>The window is filling up: long answers may be cut off.</source>
        <translation>窗口逐渐占满，长回答可能被截断。</translation>
    </message>
    <message>
        <source>The window is nearly full: there is hardly room for an answer.</source>
        <translation>窗口即将占满，几乎没有留给回答的空间。</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Window: unknown. It can be entered in the table of models.</source>
        <translation>窗口：未知。可在模型表中填写。</translation>
    </message>
    <message>
        <source>Window: {count} tokens ({source}).</source>
        <translation>窗口：{count} 个 token（{source}）。</translation>
    </message>
    <message>
        <source>assumed until two answers of the model have told</source>
        <translation>在模型的两次回答报告之前为假定值</translation>
    </message>
    <message>
        <source>filling up</source>
        <translation>逐渐占满</translation>
    </message>
    <message>
        <source>measured on the model&apos;s last two answers</source>
        <translation>根据模型最近两次回答测得</translation>
    </message>
    <message>
        <source>nearly full</source>
        <translation>即将占满</translation>
    </message>
    <message>
        <source>too long</source>
        <translation>过长</translation>
    </message>
    <message>
        <source>{count} of {window} tokens</source>
        <translation>{count} / {window} 个 token</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 个 token</translation>
    </message>
    <message>
        <source>{total}, window unknown</source>
        <translation>{total}，窗口未知</translation>
    </message>
</context>
<context>
    <name>HeadWidget</name>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Edit message</source>
        <translation>编辑消息</translation>
    </message>
    <message>
        <source>More for this message</source>
        <translation>此消息的更多操作</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Version %1 of %2</source>
        <translation>版本 %1/%2</translation>
    </message>
</context>
<context>
    <name>HeadersControl</name>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
</context>
<context>
    <name>InspectorColumns</name>
    <message>
        <source>Number of the record in this conversation</source>
        <translation>记录在本对话中的编号</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Seq</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Since the record before</source>
        <translation>距上一条记录</translation>
    </message>
    <message>
        <source>Since the turn began</source>
        <translation>距本轮开始</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>record {seq}</source>
        <translation>记录 {seq}</translation>
    </message>
    <message>
        <source>{time} after the turn began</source>
        <translation>本轮开始后 {time}</translation>
    </message>
</context>
<context>
    <name>InspectorFigures</name>
    <message>
        <source>byte</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
</context>
<context>
    <name>InspectorPages</name>
    <message>
        <source>Changed for this provider</source>
        <translation>为此提供商所作的更改</translation>
    </message>
    <message>
        <source>No response yet.</source>
        <translation>尚无响应。</translation>
    </message>
    <message>
        <source>These bytes are not kept any more.</source>
        <translation>这些字节已不再保留。</translation>
    </message>
    <message>
        <source>body {size}</source>
        <translation>正文 {size}</translation>
    </message>
    <message>
        <source>bytes {start}–{end}</source>
        <translation>字节 {start}–{end}</translation>
    </message>
    <message>
        <source>closed after</source>
        <translation>关闭于</translation>
    </message>
    <message>
        <source>delta, joined</source>
        <translation>个增量，已合并</translation>
    </message>
    <message>
        <source>deltas, joined</source>
        <translation>个增量，已合并</translation>
    </message>
    <message>
        <source>end: {reason}</source>
        <translation>结束：{reason}</translation>
    </message>
    <message>
        <source>first frame after</source>
        <translation>首帧于</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>headers after</source>
        <translation>标头于</translation>
    </message>
    <message>
        <source>no body</source>
        <translation>没有正文</translation>
    </message>
    <message>
        <source>not UTF-8</source>
        <translation>非 UTF-8</translation>
    </message>
    <message>
        <source>the body is not kept any more</source>
        <translation>正文已不再保留</translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message>
        <source>Filter: words in kind or text</source>
        <translation>筛选：类型或文本中的词</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>event ignored</source>
        <translation>个事件被忽略</translation>
    </message>
    <message>
        <source>events ignored</source>
        <translation>个事件被忽略</translation>
    </message>
    <message>
        <source>record</source>
        <translation>条记录</translation>
    </message>
    <message>
        <source>records</source>
        <translation>条记录</translation>
    </message>
    <message>
        <source>request</source>
        <translation>次请求</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>次请求</translation>
    </message>
    <message>
        <source>{shown} of {all} records</source>
        <translation>{shown}/{all} 条记录</translation>
    </message>
</context>
<context>
    <name>InspectorRows</name>
    <message>
        <source>Cut</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation>已忽略</translation>
    </message>
    <message>
        <source>Malformed</source>
        <translation>格式错误</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>Request {number}</source>
        <translation>请求 {number}</translation>
    </message>
    <message>
        <source>Turn {number}</source>
        <translation>第 {number} 轮</translation>
    </message>
    <message>
        <source>attempt {number}</source>
        <translation>第 {number} 次尝试</translation>
    </message>
    <message>
        <source>by itself</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>by the user</source>
        <translation>由用户</translation>
    </message>
    <message>
        <source>bytes {start}–{end}</source>
        <translation>字节 {start}–{end}</translation>
    </message>
    <message>
        <source>change</source>
        <translation>处更改</translation>
    </message>
    <message>
        <source>changes</source>
        <translation>处更改</translation>
    </message>
    <message>
        <source>ended by {cause}</source>
        <translation>结束方：{cause}</translation>
    </message>
    <message>
        <source>event</source>
        <translation>个事件</translation>
    </message>
    <message>
        <source>events</source>
        <translation>个事件</translation>
    </message>
    <message>
        <source>goes on with an answer</source>
        <translation>接着一条回答继续</translation>
    </message>
    <message>
        <source>in {time} s</source>
        <translation>{time} s 后</translation>
    </message>
    <message>
        <source>message</source>
        <translation>条消息</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>条消息</translation>
    </message>
    <message>
        <source>token out</source>
        <translation>个输出 token</translation>
    </message>
    <message>
        <source>tokens out</source>
        <translation>个输出 token</translation>
    </message>
    <message>
        <source>{number} of {limit}</source>
        <translation>第 {number} 次，共 {limit} 次</translation>
    </message>
    <message>
        <source>~{count} tokens</source>
        <translation>~{count} 个 token</translation>
    </message>
</context>
<context>
    <name>ItemList</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
</context>
<context>
    <name>JsonPart</name>
    <message>
        <source>{name}, as JSON</source>
        <translation>{name}，JSON 形式</translation>
    </message>
</context>
<context>
    <name>JsonText</name>
    <message>
        <source>It is nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>Line {line}, column {column}</source>
        <translation>第 {line} 行，第 {column} 列</translation>
    </message>
    <message>
        <source>{name} is no JSON</source>
        <translation>{name} 不是 JSON</translation>
    </message>
    <message>
        <source>{number} is too large a number</source>
        <translation>{number} 这个数字过大</translation>
    </message>
    <message>
        <source>“{name}” stands twice in one object</source>
        <translation>“{name}”在同一对象中出现两次</translation>
    </message>
</context>
<context>
    <name>JsonTree</name>
    <message>
        <source>[…] {count}</source>
        <translation>[…] {count}</translation>
    </message>
    <message>
        <source>text of {count} characters</source>
        <translation>{count} 个字符的文本</translation>
    </message>
    <message>
        <source>{{…}} {count}</source>
        <translation>{{…}} {count}</translation>
    </message>
</context>
<context>
    <name>JsonViews</name>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>How it is shown: {name}</source>
        <translation>显示方式：{name}</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>{name}, as a tree</source>
        <translation>{name}，树形</translation>
    </message>
</context>
<context>
    <name>JumpButton</name>
    <message>
        <source>Jump to latest</source>
        <translation>跳到最新</translation>
    </message>
</context>
<context>
    <name>KeyCapture</name>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>No keys</source>
        <translation>没有按键</translation>
    </message>
    <message>
        <source>Press the new keys, or Esc</source>
        <translation>按下新的按键，或按 Esc</translation>
    </message>
</context>
<context>
    <name>KeyForm</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>KeySource</name>
    <message>
        <source>%1 is not set</source>
        <translation>%1 未设置</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>For this session</source>
        <translation>仅用于本次运行</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Key in the key store</source>
        <translation>密钥在密钥库中</translation>
    </message>
    <message>
        <source>Needs none</source>
        <translation>无需密钥</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>没有密钥</translation>
    </message>
</context>
<context>
    <name>KeyView</name>
    <message>
        <source>Add key…</source>
        <translation>添加密钥…</translation>
    </message>
    <message>
        <source>Add: %1</source>
        <translation>添加：%1</translation>
    </message>
    <message>
        <source>Back to the default: %1, else the key store</source>
        <translation>恢复默认：%1，其次是密钥库</translation>
    </message>
    <message>
        <source>Back to the default: the key store</source>
        <translation>恢复默认：密钥库</translation>
    </message>
    <message>
        <source>Keep it for this session only</source>
        <translation>仅在本次运行中保留</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Key of %1</source>
        <translation>%1 的密钥</translation>
    </message>
    <message>
        <source>Look again: %1</source>
        <translation>重新查看：%1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove: %1</source>
        <translation>移除：%1</translation>
    </message>
    <message>
        <source>Replace: %1</source>
        <translation>替换：%1</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>替换…</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset: %1</source>
        <translation>重置：%1</translation>
    </message>
    <message>
        <source>Take it from %1</source>
        <translation>从 %1 读取</translation>
    </message>
    <message>
        <source>Take it from the environment…</source>
        <translation>从环境变量读取…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Use an environment variable</source>
        <translation>使用环境变量</translation>
    </message>
</context>
<context>
    <name>LedgerChanges</name>
    <message>
        <source>Message {number}</source>
        <translation>消息 {number}</translation>
    </message>
    <message>
        <source>Messages {numbers}</source>
        <translation>消息 {numbers}</translation>
    </message>
    <message>
        <source>Messages {numbers} and {count} more</source>
        <translation>消息 {numbers} 及另外 {count} 条</translation>
    </message>
    <message>
        <source>The whole conversation</source>
        <translation>整个对话</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>results of tools</source>
        <translation>工具结果</translation>
    </message>
    <message>
        <source>system text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <source>you</source>
        <translation>你</translation>
    </message>
    <message>
        <source>{heading}, {who}</source>
        <translation>{heading}，{who}</translation>
    </message>
    <message>
        <source>{heading}, {who}: “{words}”</source>
        <translation>{heading}，{who}：“{words}”</translation>
    </message>
</context>
<context>
    <name>LineWidget</name>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
</context>
<context>
    <name>LinkQuestion</name>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>This link leads to:</source>
        <translation>此链接指向：</translation>
    </message>
</context>
<context>
    <name>ListPart</name>
    <message>
        <source>Add an item to {name}</source>
        <translation>向 {name} 添加一项</translation>
    </message>
    <message>
        <source>Add item</source>
        <translation>添加项</translation>
    </message>
    <message>
        <source>Take {name} out</source>
        <translation>移除 {name}</translation>
    </message>
</context>
<context>
    <name>LocalServersView</name>
    <message>
        <source>Add server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Asking at the addresses of %1…</source>
        <translation>正在查询 %1 的地址…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>No server found</source>
        <translation>未找到服务器</translation>
    </message>
    <message>
        <source>Nothing answers at the addresses of %1.</source>
        <translation>%1 的地址没有响应。</translation>
    </message>
    <message>
        <source>Servers found: %1</source>
        <translation>找到的服务器：%1</translation>
    </message>
    <message>
        <source>Servers on this machine</source>
        <translation>本机上的服务器</translation>
    </message>
    <message>
        <source>Start one and look again, or give the address of another one.</source>
        <translation>请启动一个服务器再重新查找，或填写其他服务器的地址。</translation>
    </message>
    <message>
        <source>Stop looking for servers</source>
        <translation>停止查找服务器</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>agdesk</source>
        <translation>agdesk</translation>
    </message>
</context>
<context>
    <name>Markdown</name>
    <message>
        <source>image</source>
        <translation>图片</translation>
    </message>
</context>
<context>
    <name>MatrixModel</name>
    <message>
        <source>Click to sort by {column}</source>
        <translation>点击按{column}排序</translation>
    </message>
    <message>
        <source>In $/M</source>
        <translation>输入 $/M</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Out $/M</source>
        <translation>输出 $/M</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供商</translation>
    </message>
    <message>
        <source>System in messages</source>
        <translation>消息中的系统文本</translation>
    </message>
    <message>
        <source>not set up: no key or no address</source>
        <translation>未配置：缺少密钥或地址</translation>
    </message>
</context>
<context>
    <name>MatrixTable</name>
    <message>
        <source>Enter changes a value, Delete takes a change back, Alt+Up and Alt+Down sort by the current column</source>
        <translation>按 Enter 更改值，按 Delete 撤销更改，按 Alt+Up 和 Alt+Down 按当前列排序</translation>
    </message>
    <message>
        <source>Models and what is known of them</source>
        <translation>模型及其已知信息</translation>
    </message>
</context>
<context>
    <name>MemberRow</name>
    <message>
        <source>Leave out</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>Leave {name} out</source>
        <translation>省略 {name}</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Set to null</source>
        <translation>设为 null</translation>
    </message>
    <message>
        <source>Set {name}</source>
        <translation>设置 {name}</translation>
    </message>
    <message>
        <source>Set {name} to null</source>
        <translation>将 {name} 设为 null</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已省略</translation>
    </message>
    <message>
        <source>not in the schema</source>
        <translation>不在 Schema 中</translation>
    </message>
    <message>
        <source>null</source>
        <translation>null</translation>
    </message>
    <message>
        <source>required</source>
        <translation>必填</translation>
    </message>
</context>
<context>
    <name>MessageEdit</name>
    <message>
        <source>Editing an answer: a new version stands beside it</source>
        <translation>正在编辑回答：新版本会与原版本并存</translation>
    </message>
    <message>
        <source>Editing your message: a new version of it is asked</source>
        <translation>正在编辑你的消息：将以新版本提问</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>ModelPopup</name>
    <message>
        <source>1 model</source>
        <translation>1 个模型</translation>
    </message>
    <message>
        <source>All models…</source>
        <translation>所有模型…</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Loading the models</source>
        <translation>正在加载模型</translation>
    </message>
    <message>
        <source>Search models, or type provider/model</source>
        <translation>搜索模型，或输入“提供商/模型”</translation>
    </message>
    <message>
        <source>What is known of every model, and who says so</source>
        <translation>每个模型的已知信息及其来源</translation>
    </message>
    <message>
        <source>{count} models</source>
        <translation>{count} 个模型</translation>
    </message>
</context>
<context>
    <name>ModelValues</name>
    <message>
        <source>audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>catalogue</source>
        <translation>内置目录</translation>
    </message>
    <message>
        <source>input price</source>
        <translation>输入价格</translation>
    </message>
    <message>
        <source>list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>longest answer</source>
        <translation>最长回答</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>output price</source>
        <translation>输出价格</translation>
    </message>
    <message>
        <source>parallel tools</source>
        <translation>并行工具</translation>
    </message>
    <message>
        <source>preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>streaming</source>
        <translation>流式输出</translation>
    </message>
    <message>
        <source>system text among messages</source>
        <translation>消息间的系统文本</translation>
    </message>
    <message>
        <source>thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>vision</source>
        <translation>视觉</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>you</source>
        <translation>你</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 个 token</translation>
    </message>
    <message>
        <source>{name}: {value}</source>
        <translation>{name}：{value}</translation>
    </message>
    <message>
        <source>{name}: {value} ({source})</source>
        <translation>{name}：{value}（{source}）</translation>
    </message>
    <message>
        <source>{price} per million tokens</source>
        <translation>每百万 token {price}</translation>
    </message>
</context>
<context>
    <name>ModelsDialog</name>
    <message>
        <source>, {count} more unknown</source>
        <translation>，另有 {count} 个未知</translation>
    </message>
    <message>
        <source>Clear search and filters</source>
        <translation>清除搜索和筛选</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copies what is known of the model (Ctrl+C)</source>
        <translation>复制该模型的已知信息 (Ctrl+C)</translation>
    </message>
    <message>
        <source>Copy row</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Loading the models</source>
        <translation>正在加载模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>No model fits</source>
        <translation>没有符合的模型</translation>
    </message>
    <message>
        <source>None has these letters and passes all filters. A list that was never asked for may have it.</source>
        <translation>没有模型包含这些字符并通过所有筛选。从未获取过的列表中可能会有。</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>That is no such value</source>
        <translation>不是有效的值</translation>
    </message>
    <message>
        <source>{count} of {all} models</source>
        <translation>{count}/{all} 个模型</translation>
    </message>
</context>
<context>
    <name>NothingFound</name>
    <message>
        <source>A model that is not in the list is written as provider/model.</source>
        <translation>不在列表中的模型，请写成“提供商/模型”。</translation>
    </message>
    <message>
        <source>Clear filters</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>No known model fits “{typed}”.</source>
        <translation>没有已知模型与“{typed}”匹配。</translation>
    </message>
    <message>
        <source>No model is known to pass the filters.</source>
        <translation>没有已知模型通过筛选。</translation>
    </message>
    <message>
        <source>Show {count} of which nobody knows</source>
        <translation>显示 {count} 个不确定是否符合的模型</translation>
    </message>
    <message>
        <source>There is no provider “{id}”.</source>
        <translation>没有名为“{id}”的提供商。</translation>
    </message>
    <message>
        <source>Use “{model}” anyway</source>
        <translation>仍然使用“{model}”</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>NumberControl</name>
    <message>
        <source>This has to be a number</source>
        <translation>必须是数字</translation>
    </message>
    <message>
        <source>This has to be a whole number</source>
        <translation>必须是整数</translation>
    </message>
    <message>
        <source>This model takes {range}</source>
        <translation>该模型接受 {range}</translation>
    </message>
    <message>
        <source>&#x202f;%</source>
        <translation> %</translation>
    </message>
</context>
<context>
    <name>NumberPart</name>
    <message>
        <source>This is no number</source>
        <translation>这不是数字</translation>
    </message>
</context>
<context>
    <name>OutlineModel</name>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>level %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>not shown</source>
        <translation>未显示</translation>
    </message>
    <message>
        <source>shown now</source>
        <translation>当前显示</translation>
    </message>
</context>
<context>
    <name>PagedEditor</name>
    <message>
        <source>Next page: {name}</source>
        <translation>下一页：{name}</translation>
    </message>
    <message>
        <source>Page {page} of {count}, {size} characters in all</source>
        <translation>第 {page} 页，共 {count} 页，总计 {size} 个字符</translation>
    </message>
    <message>
        <source>Previous page: {name}</source>
        <translation>上一页：{name}</translation>
    </message>
</context>
<context>
    <name>ParameterPanel</name>
    <message>
        <source>Close the parameters</source>
        <translation>关闭参数面板</translation>
    </message>
    <message>
        <source>Kept with this conversation. Only what is set here is sent.</source>
        <translation>随本对话保存。只发送在此设置的参数。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Presets of parameters and system prompt</source>
        <translation>参数与系统提示词的预设</translation>
    </message>
    <message>
        <source>Presets…</source>
        <translation>预设…</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Reset all parameters and the system prompt</source>
        <translation>重置所有参数和系统提示词</translation>
    </message>
</context>
<context>
    <name>ParameterRow</name>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1; what is set is sent all the same.</source>
        <translation>%1；已设置的值仍会发送。</translation>
    </message>
    <message>
        <source>Back to: not sent</source>
        <translation>恢复为：不发送</translation>
    </message>
    <message>
        <source>Cannot be set: %1.</source>
        <translation>无法设置：%1。</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Forget that the model refused: %1</source>
        <translation>忘记模型曾拒绝：%1</translation>
    </message>
    <message>
        <source>Not in force: %1</source>
        <translation>未生效：%1</translation>
    </message>
    <message>
        <source>Refused by this model, so it is not sent.</source>
        <translation>该模型曾拒绝此参数，因此不发送。</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset: %1</source>
        <translation>重置：%1</translation>
    </message>
    <message>
        <source>Set, but not sent: %1.</source>
        <translation>已设置但不发送：%1。</translation>
    </message>
    <message>
        <source>The model is sent it again, if it is set</source>
        <translation>如已设置，将重新发送给模型</translation>
    </message>
</context>
<context>
    <name>Parameters</name>
    <message>
        <source>A JSON Schema; {} is any JSON object.</source>
        <translation>JSON Schema；{} 表示任意 JSON 对象。</translation>
    </message>
    <message>
        <source>A JSON object; its members go into the request last.</source>
        <translation>JSON 对象；其成员最后写入请求。</translation>
    </message>
    <message>
        <source>Answer as JSON</source>
        <translation>以 JSON 回答</translation>
    </message>
    <message>
        <source>Higher is more varied.</source>
        <translation>值越高，回答越多样。</translation>
    </message>
    <message>
        <source>How much it thinks before it answers.</source>
        <translation>回答前思考的程度。</translation>
    </message>
    <message>
        <source>In tokens, thinking included.</source>
        <translation>以 token 计，包括思考。</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长回答</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>Only the likeliest words, up to this share.</source>
        <translation>只取概率最高的词，累计到此比例为止。</translation>
    </message>
    <message>
        <source>Other members</source>
        <translation>其他成员</translation>
    </message>
    <message>
        <source>Parallel tool calls</source>
        <translation>并行工具调用</translation>
    </message>
    <message>
        <source>Reasoning effort</source>
        <translation>推理强度</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Stop sequences</source>
        <translation>停止序列</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>The answer ends before any of these. One on a line; \n is a line end.</source>
        <translation>回答在出现其中任何一个之前结束。每行一个；\n 表示换行。</translation>
    </message>
    <message>
        <source>The most tokens it may think.</source>
        <translation>思考最多可用的 token 数。</translation>
    </message>
    <message>
        <source>The same seed makes answers more alike.</source>
        <translation>相同的种子使回答更相近。</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Thinking budget</source>
        <translation>思考预算</translation>
    </message>
    <message>
        <source>Top P</source>
        <translation>Top P</translation>
    </message>
    <message>
        <source>Whether it may call several tools at once.</source>
        <translation>是否可以同时调用多个工具。</translation>
    </message>
    <message>
        <source>Whether it thinks before it answers.</source>
        <translation>回答前是否先思考。</translation>
    </message>
    <message>
        <source>at least {low}</source>
        <translation>至少 {low}</translation>
    </message>
    <message>
        <source>at most {high}</source>
        <translation>至多 {high}</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 至 {high}</translation>
    </message>
</context>
<context>
    <name>ParametersButton</name>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>What this conversation sets in its requests: {state}</source>
        <translation>本对话在请求中设置的参数：{state}</translation>
    </message>
    <message>
        <source>none set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>{count} not in force</source>
        <translation>{count} 项未生效</translation>
    </message>
    <message>
        <source>{count} set</source>
        <translation>已设置 {count} 项</translation>
    </message>
    <message>
        <source>{count}, {idle}</source>
        <translation>{count}，{idle}</translation>
    </message>
    <message>
        <source>{name} ({count})</source>
        <translation>{name}（{count}）</translation>
    </message>
    <message>
        <source>{tip}. Not in force: {idle}</source>
        <translation>{tip}。未生效：{idle}</translation>
    </message>
</context>
<context>
    <name>PickerItems</name>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Can be used now</source>
        <translation>现在可用</translation>
    </message>
    <message>
        <source>Not set up: no key or no address</source>
        <translation>未配置：缺少密钥或地址</translation>
    </message>
    <message>
        <source>Recently used</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Unknown whether they fit</source>
        <translation>不确定是否符合</translation>
    </message>
    <message>
        <source>Use “{model}” anyway</source>
        <translation>仍然使用“{model}”</translation>
    </message>
    <message>
        <source>for each message a usable model that has what it needs; your default, else the cheapest</source>
        <translation>为每条消息选用具备所需能力的可用模型：先用你的默认模型，否则用最便宜的</translation>
    </message>
    <message>
        <source>not in the list</source>
        <translation>不在列表中</translation>
    </message>
    <message>
        <source>there is no provider “{id}”</source>
        <translation>没有名为“{id}”的提供商</translation>
    </message>
    <message>
        <source>{provider} · not set up</source>
        <translation>{provider} · 未配置</translation>
    </message>
</context>
<context>
    <name>PresetControl</name>
    <message>
        <source>Applied “{name}”</source>
        <translation>已应用“{name}”</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Deleted the preset “{name}”</source>
        <translation>已删除预设“{name}”</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>New conversations begin with</source>
        <translation>新对话的初始预设</translation>
    </message>
    <message>
        <source>No presets yet</source>
        <translation>还没有预设</translation>
    </message>
    <message>
        <source>Nothing set</source>
        <translation>未设置任何参数</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename preset</source>
        <translation>重命名预设</translation>
    </message>
    <message>
        <source>Replaced “{name}”</source>
        <translation>已替换“{name}”</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as preset</source>
        <translation>保存为预设</translation>
    </message>
    <message>
        <source>Save as preset…</source>
        <translation>保存为预设…</translation>
    </message>
    <message>
        <source>Saved “{name}”</source>
        <translation>已保存“{name}”</translation>
    </message>
    <message>
        <source>There is a preset “{name}” already.</source>
        <translation>已有名为“{name}”的预设。</translation>
    </message>
</context>
<context>
    <name>PromptRow</name>
    <message>
        <source>Back to: not sent</source>
        <translation>恢复为：不发送</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset: %1</source>
        <translation>重置：%1</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
</context>
<context>
    <name>ProviderDetail</name>
    <message>
        <source>Asks the server for its models; this shows whether the address and the key are right.</source>
        <translation>向服务器获取模型列表，以此检查地址和密钥是否正确。</translation>
    </message>
    <message>
        <source>For example %1</source>
        <translation>例如 %1</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
</context>
<context>
    <name>ProvidersPage</name>
    <message>
        <source>%1 was removed, and its key</source>
        <translation>已移除 %1 及其密钥</translation>
    </message>
    <message>
        <source>A key can be given for this session, or come from an environment variable.</source>
        <translation>密钥可以仅用于本次运行，也可以来自环境变量。</translation>
    </message>
    <message>
        <source>Enter a key for this session…</source>
        <translation>输入仅用于本次运行的密钥…</translation>
    </message>
    <message>
        <source>Find local servers</source>
        <translation>查找本地服务器</translation>
    </message>
    <message>
        <source>Keys cannot be kept on this machine. %1</source>
        <translation>本机无法保存密钥。%1</translation>
    </message>
    <message>
        <source>New conversations use %1</source>
        <translation>新对话将使用 %1</translation>
    </message>
    <message>
        <source>No provider has this name.</source>
        <translation>没有此名称的提供商。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>提供商</translation>
    </message>
    <message>
        <source>Search providers</source>
        <translation>搜索提供商</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Use an environment variable…</source>
        <translation>使用环境变量…</translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message>
        <source>kept from before, nothing is sent until you resume.</source>
        <translation>是上次留下的，继续之前不会发送。</translation>
    </message>
    <message>
        <source>nothing is sent until you resume.</source>
        <translation>继续之前不会发送。</translation>
    </message>
    <message>
        <source>the answer failed. {error}</source>
        <translation>回答失败。{error}</translation>
    </message>
    <message>
        <source>the next message could not be sent. {error}</source>
        <translation>下一条消息无法发送。{error}</translation>
    </message>
    <message>
        <source>you stopped the answer.</source>
        <translation>你停止了回答。</translation>
    </message>
    <message>
        <source>{count} queued, paused: {reason}</source>
        <translation>{count} 条排队，已暂停：{reason}</translation>
    </message>
    <message>
        <source>{count} queued. Each is sent when the answer before it is complete.</source>
        <translation>{count} 条排队。前一条回答完成后依次发送。</translation>
    </message>
    <message>
        <source>{count} queued. Nothing is sent before you have finished editing or choosing.</source>
        <translation>{count} 条排队。编辑或选择完成之前不会发送。</translation>
    </message>
</context>
<context>
    <name>QueueControl</name>
    <message>
        <source>Queued message removed</source>
        <translation>已移除排队的消息</translation>
    </message>
</context>
<context>
    <name>QueueEditor</name>
    <message>
        <source>Queued message</source>
        <translation>排队的消息</translation>
    </message>
</context>
<context>
    <name>QueueModel</name>
    <message>
        <source>{count} attached</source>
        <translation>{count} 个附件</translation>
    </message>
</context>
<context>
    <name>QueuePanel</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pause the queue</source>
        <translation>暂停队列</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Resume the queue</source>
        <translation>继续队列</translation>
    </message>
</context>
<context>
    <name>QueueView</name>
    <message>
        <source>Queued messages</source>
        <translation>排队的消息</translation>
    </message>
</context>
<context>
    <name>ReasonPane</name>
    <message>
        <source>Deny with this reason</source>
        <translation>以此理由拒绝</translation>
    </message>
    <message>
        <source>Deny with this reason and stop</source>
        <translation>以此理由拒绝并停止</translation>
    </message>
    <message>
        <source>Reason, which the model is told</source>
        <translation>理由，会告知模型</translation>
    </message>
</context>
<context>
    <name>ReceiveDialog</name>
    <message>
        <source>Changed for this provider</source>
        <translation>为此提供商所作的更改</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copied as cURL.</source>
        <translation>已复制为 cURL。</translation>
    </message>
    <message>
        <source>Copy as cURL</source>
        <translation>复制为 cURL</translation>
    </message>
    <message>
        <source>Copy body</source>
        <translation>复制正文</translation>
    </message>
    <message>
        <source>Making the request</source>
        <translation>正在生成请求</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Nothing is left out or changed.</source>
        <translation>没有省略或更改任何内容。</translation>
    </message>
    <message>
        <source>Nothing was said or written yet: this is the request without a message.</source>
        <translation>尚未说过或写下任何内容：这是不含消息的请求。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>The body was copied.</source>
        <translation>已复制正文。</translation>
    </message>
    <message>
        <source>The request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>What would a model receive?</source>
        <translation>模型会收到什么？</translation>
    </message>
</context>
<context>
    <name>ReceivedDocument</name>
    <message>
        <source>{size} kB of base64</source>
        <translation>{size} kB base64</translation>
    </message>
</context>
<context>
    <name>RefreshBar</name>
    <message>
        <source>Asking {provider} for its models…</source>
        <translation>正在向 {provider} 获取模型…</translation>
    </message>
    <message>
        <source>Asks the provider which models it has (F5)</source>
        <translation>向提供商获取其模型列表 (F5)</translation>
    </message>
    <message>
        <source>Left out, as they cannot be shown: {count}.</source>
        <translation>无法显示而略去：{count}。</translation>
    </message>
    <message>
        <source>Refresh list</source>
        <translation>刷新列表</translation>
    </message>
    <message>
        <source>Refresh list of {provider}</source>
        <translation>刷新 {provider} 的列表</translation>
    </message>
    <message>
        <source>Refresh the list</source>
        <translation>刷新列表</translation>
    </message>
    <message>
        <source>Refresh the list of another provider</source>
        <translation>刷新其他提供商的列表</translation>
    </message>
    <message>
        <source>{provider} lists 1 model.</source>
        <translation>{provider} 列出了 1 个模型。</translation>
    </message>
    <message>
        <source>{provider} lists {count} models.</source>
        <translation>{provider} 列出了 {count} 个模型。</translation>
    </message>
</context>
<context>
    <name>RefusedParameters</name>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Forget that %2 refused %1</source>
        <translation>忘记 %2 曾拒绝 %1</translation>
    </message>
    <message>
        <source>No model has refused a parameter so far.</source>
        <translation>还没有模型拒绝过参数。</translation>
    </message>
    <message>
        <source>Parameters that a model has refused are left out of its requests, or sent under another name. Forget one to have it sent again.</source>
        <translation>模型拒绝过的参数会从请求中略去，或改名发送。忘记某一项后会再次发送。</translation>
    </message>
    <message>
        <source>Refused parameters</source>
        <translation>被拒绝的参数</translation>
    </message>
</context>
<context>
    <name>RemovalForm</name>
    <message>
        <source>Remove key</source>
        <translation>移除密钥</translation>
    </message>
    <message>
        <source>Remove the key of %1? agdesk cannot bring it back.</source>
        <translation>移除 %1 的密钥？agdesk 无法将其恢复。</translation>
    </message>
</context>
<context>
    <name>ResultPane</name>
    <message>
        <source>Give this answer</source>
        <translation>给出此回答</translation>
    </message>
    <message>
        <source>Result that the model gets, marked as yours</source>
        <translation>模型得到的结果，标明由你给出</translation>
    </message>
</context>
<context>
    <name>RowCommands</name>
    <message>
        <source>Copied as JSON.</source>
        <translation>已复制为 JSON。</translation>
    </message>
    <message>
        <source>Copied as cURL.</source>
        <translation>已复制为 cURL。</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>Copy as cURL</source>
        <translation>复制为 cURL</translation>
    </message>
    <message>
        <source>Copy row</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>The body of this request is not kept any more.</source>
        <translation>此请求的正文已不再保留。</translation>
    </message>
    <message>
        <source>The row was copied.</source>
        <translation>已复制该行。</translation>
    </message>
</context>
<context>
    <name>RowScroller</name>
    <message>
        <source>Scroll the conversation</source>
        <translation>滚动对话</translation>
    </message>
</context>
<context>
    <name>RowTools</name>
    <message>
        <source>Edit (F2)</source>
        <translation>编辑 (F2)</translation>
    </message>
    <message>
        <source>Edit queued message</source>
        <translation>编辑排队的消息</translation>
    </message>
    <message>
        <source>Remove (Delete)</source>
        <translation>移除 (Delete)</translation>
    </message>
    <message>
        <source>Remove queued message</source>
        <translation>移除排队的消息</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>立即发送</translation>
    </message>
    <message>
        <source>Send now (Ctrl+Enter)</source>
        <translation>立即发送 (Ctrl+Enter)</translation>
    </message>
</context>
<context>
    <name>RuleEditor</name>
    <message>
        <source>Add a condition to the rule</source>
        <translation>为规则添加条件</translation>
    </message>
    <message>
        <source>Add condition</source>
        <translation>添加条件</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Pattern, server:tool</source>
        <translation>模式，server:tool</translation>
    </message>
    <message>
        <source>What the rule grants</source>
        <translation>规则授予的权限</translation>
    </message>
</context>
<context>
    <name>RulePane</name>
    <message>
        <source>Save rule and run</source>
        <translation>保存规则并运行</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
</context>
<context>
    <name>SecretField</name>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
</context>
<context>
    <name>SelectingScroller</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>复制链接地址</translation>
    </message>
    <message>
        <source>Copy message as Markdown</source>
        <translation>以 Markdown 复制消息</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>SendButton</name>
    <message>
        <source>Queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>Queue (Enter): sent when the answer is complete. Esc stops it.</source>
        <translation>排队 (Enter)：回答完成后发送。按 Esc 停止回答。</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>发送 (Enter)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止 (Esc)</translation>
    </message>
</context>
<context>
    <name>ServerRow</name>
    <message>
        <source>Model of %1</source>
        <translation>%1 的模型</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open the settings of %1</source>
        <translation>打开 %1 的设置</translation>
    </message>
    <message>
        <source>Use %1 for new conversations</source>
        <translation>将 %1 用于新对话</translation>
    </message>
    <message>
        <source>Use for new conversations</source>
        <translation>用于新对话</translation>
    </message>
    <message>
        <source>cannot be shown: %1</source>
        <translation>无法显示：%1</translation>
    </message>
    <message>
        <source>has no model yet</source>
        <translation>还没有模型</translation>
    </message>
    <message>
        <source>models: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>wants a key before it lists its models</source>
        <translation>需要密钥才能列出模型</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Back to the default: %1</source>
        <translation>恢复默认：%1</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset: %1</source>
        <translation>重置：%1</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>A GGUF file; empty for the one that comes with agdesk.</source>
        <translation>GGUF 文件；留空则使用 agdesk 自带的模型。</translation>
    </message>
    <message>
        <source>A PEM file that this provider&apos;s server is trusted by, beside the system&apos;s certificates.</source>
        <translation>除系统证书外，用于信任此提供商服务器的 PEM 文件。</translation>
    </message>
    <message>
        <source>A schema of the answer stands in for them where a model has none.</source>
        <translation>模型不支持工具时，以回答的 Schema 代替。</translation>
    </message>
    <message>
        <source>Anthropic Messages</source>
        <translation>Anthropic Messages</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>As a schema</source>
        <translation>作为 Schema</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>As the model can</source>
        <translation>按模型能力</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>As tools</source>
        <translation>作为工具</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>Base URL</translation>
    </message>
    <message>
        <source>Beside the code; they are not copied with it.</source>
        <translation>显示在代码旁；不会随代码复制。</translation>
    </message>
    <message>
        <source>Built-in model</source>
        <translation>内置模型</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Context size</source>
        <translation>上下文大小</translation>
    </message>
    <message>
        <source>Context window</source>
        <translation>上下文窗口</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Else a code block scrolls sideways. A button on each block changes it there.</source>
        <translation>否则代码块横向滚动。可用每个代码块上的按钮单独更改。</translation>
    </message>
    <message>
        <source>English</source>
        <translation>English</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Extra certificate authority</source>
        <translation>额外的证书颁发机构</translation>
    </message>
    <message>
        <source>Extra headers</source>
        <translation>额外的请求头</translation>
    </message>
    <message>
        <source>Factor on the desktop&apos;s font size.</source>
        <translation>桌面字体大小的倍数。</translation>
    </message>
    <message>
        <source>For example http://127.0.0.1:8080/v1; empty: the provider&apos;s own.</source>
        <translation>例如 http://127.0.0.1:8080/v1；留空则使用提供商自己的地址。</translation>
    </message>
    <message>
        <source>For example http://proxy.example.org:3128.</source>
        <translation>例如 http://proxy.example.org:3128。</translation>
    </message>
    <message>
        <source>Google Gemini</source>
        <translation>Google Gemini</translation>
    </message>
    <message>
        <source>Hosts that are reached directly, separated by commas; .example.org stands for all below it.</source>
        <translation>直接访问的主机，以逗号分隔；.example.org 表示其下的所有主机。</translation>
    </message>
    <message>
        <source>How tools are offered</source>
        <translation>提供工具的方式</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>In MB; beyond it the oldest traces go. Messages are never removed.</source>
        <translation>以 MB 计；超出后删除最旧的记录。消息不会被删除。</translation>
    </message>
    <message>
        <source>Input price</source>
        <translation>输入价格</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>不发送的参数</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light or dark colours, or those of the desktop.</source>
        <translation>浅色或深色，或与桌面一致。</translation>
    </message>
    <message>
        <source>Line numbers in code</source>
        <translation>代码行号</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长回答</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>Model of new conversations</source>
        <translation>新对话的模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>No proxy</source>
        <translation>不使用代理</translation>
    </message>
    <message>
        <source>Not at all</source>
        <translation>不提供</translation>
    </message>
    <message>
        <source>Not through the proxy</source>
        <translation>不经过代理</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Of menus, buttons and messages. A change holds from the next start.</source>
        <translation>菜单、按钮和提示信息所用的语言。更改在下次启动时生效。</translation>
    </message>
    <message>
        <source>Ollama</source>
        <translation>Ollama</translation>
    </message>
    <message>
        <source>Only while agdesk is not in front.</source>
        <translation>仅当 agdesk 不在前台时。</translation>
    </message>
    <message>
        <source>OpenAI Chat Completions</source>
        <translation>OpenAI Chat Completions</translation>
    </message>
    <message>
        <source>OpenAI Responses</source>
        <translation>OpenAI Responses</translation>
    </message>
    <message>
        <source>Output price</source>
        <translation>输出价格</translation>
    </message>
    <message>
        <source>Parallel tool calls</source>
        <translation>并行工具调用</translation>
    </message>
    <message>
        <source>Parameters that the model refused once; they are not sent any more.</source>
        <translation>模型拒绝过的参数；不再发送。</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Provider and model, as in openai/gpt-5.</source>
        <translation>提供商和模型，例如 openai/gpt-5。</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>提供商</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>Proxy address</source>
        <translation>代理地址</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>阅读</translation>
    </message>
    <message>
        <source>Send with</source>
        <translation>发送键</translation>
    </message>
    <message>
        <source>Sent with every request, one on a line, as in X-Title: agdesk. The key is not one of them.</source>
        <translation>随每个请求发送，每行一个，例如 X-Title: agdesk。密钥不属于此项。</translation>
    </message>
    <message>
        <source>Space for traces</source>
        <translation>请求记录的空间</translation>
    </message>
    <message>
        <source>Tell when an answer ends</source>
        <translation>回答结束时通知</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>The one below</source>
        <translation>使用下面的代理</translation>
    </message>
    <message>
        <source>The other one starts a new line.</source>
        <translation>另一种按键用于换行。</translation>
    </message>
    <message>
        <source>The provider that this account is with.</source>
        <translation>此账户所属的提供商。</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Tokens of a request and its answer.</source>
        <translation>请求与回答合计的 token 数。</translation>
    </message>
    <message>
        <source>Tokens of an answer.</source>
        <translation>一次回答的 token 数。</translation>
    </message>
    <message>
        <source>Tokens; more takes more memory.</source>
        <translation>token 数；越大占用内存越多。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>请求记录</translation>
    </message>
    <message>
        <source>US dollars for a million tokens.</source>
        <translation>每百万 token 的美元价格。</translation>
    </message>
    <message>
        <source>What this account is called; empty: after its provider.</source>
        <translation>此账户的名称；留空则沿用提供商的名称。</translation>
    </message>
    <message>
        <source>Where the key comes from; empty: the environment variable, else the system&apos;s key store.</source>
        <translation>密钥的来源；留空则先用环境变量，其次是系统的密钥库。</translation>
    </message>
    <message>
        <source>Whether it can call several tools at once.</source>
        <translation>是否可以同时调用多个工具。</translation>
    </message>
    <message>
        <source>Whether it can call tools.</source>
        <translation>是否可以调用工具。</translation>
    </message>
    <message>
        <source>Whether it takes images.</source>
        <translation>是否接收图片。</translation>
    </message>
    <message>
        <source>Whether it takes sound.</source>
        <translation>是否接收音频。</translation>
    </message>
    <message>
        <source>Whether it thinks before it answers.</source>
        <translation>回答前是否先思考。</translation>
    </message>
    <message>
        <source>Which proxy requests go through.</source>
        <translation>请求使用哪个代理。</translation>
    </message>
    <message>
        <source>Whose API the server speaks.</source>
        <translation>服务器使用谁的 API。</translation>
    </message>
    <message>
        <source>Wire format</source>
        <translation>协议格式</translation>
    </message>
    <message>
        <source>Wrap long lines in code</source>
        <translation>代码长行自动换行</translation>
    </message>
    <message>
        <source>简体中文</source>
        <translation>简体中文</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Find local servers</source>
        <translation>查找本地服务器</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开%1</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>ShortcutPage</name>
    <message>
        <source>%1 is needed for writing: add Ctrl, Alt or Meta, or use a function key.</source>
        <translation>%1 要用于输入文字：请加上 Ctrl、Alt 或 Meta，或使用功能键。</translation>
    </message>
    <message>
        <source>%1 is used by “%2”: take it over?</source>
        <translation>%1 已用于“%2”，要改用于此操作吗？</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>操作及其快捷键</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>No action has these letters.</source>
        <translation>没有操作包含这些字符。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Search actions</source>
        <translation>搜索操作</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>改用于此</translation>
    </message>
</context>
<context>
    <name>StartProblem</name>
    <message>
        <source>Keep it aside and begin with an empty list</source>
        <translation>将其另行保留并从空列表开始</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
</context>
<context>
    <name>StateStack</name>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>No record has these words.</source>
        <translation>没有包含这些词的记录。</translation>
    </message>
    <message>
        <source>Nothing was sent yet in this conversation.</source>
        <translation>本对话尚未发送任何内容。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>StatusRow</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Do not try again</source>
        <translation>不再重试</translation>
    </message>
    <message>
        <source>Do not try again (Esc)</source>
        <translation>不再重试 (Esc)</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>立即</translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation>立即重试</translation>
    </message>
</context>
<context>
    <name>StatusText</name>
    <message>
        <source>Accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <source>Calling a tool</source>
        <translation>正在调用工具</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>No connection</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>Provider failed</source>
        <translation>提供商出错</translation>
    </message>
    <message>
        <source>Provider overloaded</source>
        <translation>提供商过载</translation>
    </message>
    <message>
        <source>Rate limit</source>
        <translation>速率限制</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Receiving</source>
        <translation>正在接收</translation>
    </message>
    <message>
        <source>Running a tool</source>
        <translation>正在运行工具</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>已发送</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等待你决定</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>正在输出</translation>
    </message>
    <message>
        <source>conversation {cost}</source>
        <translation>对话 {cost}</translation>
    </message>
    <message>
        <source>cost unknown</source>
        <translation>费用未知</translation>
    </message>
    <message>
        <source>first token {time}</source>
        <translation>首个 token {time}</translation>
    </message>
    <message>
        <source>next try in {time} ({number} of {limit})</source>
        <translation>{time} 后重试（第 {number} 次，共 {limit} 次）</translation>
    </message>
    <message>
        <source>no data for {time}</source>
        <translation>{time} 无数据</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>tokens unknown</source>
        <translation>token 数未知</translation>
    </message>
    <message>
        <source>{count} cached</source>
        <translation>缓存 {count}</translation>
    </message>
    <message>
        <source>{count} in</source>
        <translation>输入 {count}</translation>
    </message>
    <message>
        <source>{count} out</source>
        <translation>输出 {count}</translation>
    </message>
    <message>
        <source>{count} thinking</source>
        <translation>思考 {count}</translation>
    </message>
</context>
<context>
    <name>SwitchSheet</name>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>Looking at what “%1” would receive…</source>
        <translation>正在查看“%1”会收到什么…</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>切换</translation>
    </message>
    <message>
        <source>The conversation itself stays; these changes are made in what is sent.</source>
        <translation>对话本身保持不变；更改只作用于发送的内容。</translation>
    </message>
    <message>
        <source>What changes</source>
        <translation>更改内容</translation>
    </message>
    <message>
        <source>What would it receive?</source>
        <translation>它会收到什么？</translation>
    </message>
    <message>
        <source>“%1” would not receive this conversation as it is</source>
        <translation>“%1”无法原样接收此对话</translation>
    </message>
</context>
<context>
    <name>TabBar</name>
    <message>
        <source>Close this conversation</source>
        <translation>关闭此对话</translation>
    </message>
    <message>
        <source>Conversation tabs</source>
        <translation>对话标签页</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>正在回答</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>new answer</source>
        <translation>有新回答</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>等待你决定</translation>
    </message>
</context>
<context>
    <name>TabPage</name>
    <message>
        <source>A call waits for you to decide.</source>
        <translation>有一个调用等待你决定。</translation>
    </message>
    <message>
        <source>Loading the conversation</source>
        <translation>正在加载对话</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>This conversation cannot be opened</source>
        <translation>此对话无法打开</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>ThinkingWidget</name>
    <message>
        <source>Hide the thinking</source>
        <translation>隐藏思考过程</translation>
    </message>
    <message>
        <source>Show the thinking</source>
        <translation>显示思考过程</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>已思考</translation>
    </message>
    <message>
        <source>Thought for %1&#x202f;s</source>
        <translation>思考了 %1 s</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ToolWords</name>
    <message>
        <source>Fetches a page of the internet. Its server sees the whole address.</source>
        <translation>获取一个网页。其服务器会看到完整地址。</translation>
    </message>
    <message>
        <source>Lists the files and folders in the folder.</source>
        <translation>列出文件夹中的文件和文件夹。</translation>
    </message>
    <message>
        <source>Nobody knows whether this model can call tools.</source>
        <translation>不知道此模型能否调用工具。</translation>
    </message>
    <message>
        <source>Reads a file in the folder.</source>
        <translation>读取文件夹中的文件。</translation>
    </message>
    <message>
        <source>Replaces a text in a file in the folder.</source>
        <translation>替换文件夹中某个文件里的文字。</translation>
    </message>
    <message>
        <source>Runs a program. It begins in the folder, and can reach everything that you can.</source>
        <translation>运行程序。它在该文件夹中启动，能访问你能访问的一切。</translation>
    </message>
    <message>
        <source>Searches the files in the folder for a text.</source>
        <translation>在文件夹的文件中搜索文字。</translation>
    </message>
    <message>
        <source>Tells the date, the time and the time zone.</source>
        <translation>告知日期、时间和时区。</translation>
    </message>
    <message>
        <source>The model is chosen when you send: none that is known to have no tools.</source>
        <translation>发送时选择模型：不会选已知没有工具的模型。</translation>
    </message>
    <message>
        <source>These need a folder, and will fail until you choose one: {tools}.</source>
        <translation>以下工具需要文件夹，在你选择之前会失败：{tools}。</translation>
    </message>
    <message>
        <source>This folder is no longer there. Tools that need one will fail.</source>
        <translation>此文件夹已不存在。需要它的工具会失败。</translation>
    </message>
    <message>
        <source>This model is known to call tools ({source}).</source>
        <translation>已知此模型能调用工具（{source}）。</translation>
    </message>
    <message>
        <source>This model is known to have no tools of its own ({source}): they are offered as a format of its answer.</source>
        <translation>已知此模型自身没有工具（{source}）：工具以回答格式的形式提供。</translation>
    </message>
    <message>
        <source>Tools are left out for this model, as you have set.</source>
        <translation>按你的设置，此模型不提供工具。</translation>
    </message>
    <message>
        <source>Tools are offered to this model as a format of its answer.</source>
        <translation>工具以回答格式的形式提供给此模型。</translation>
    </message>
    <message>
        <source>Tools cannot be offered to this model: it is known to have none ({source}).</source>
        <translation>无法向此模型提供工具：已知它没有工具（{source}）。</translation>
    </message>
    <message>
        <source>Writes a file in the folder, over what it held.</source>
        <translation>在文件夹中写入文件，覆盖原有内容。</translation>
    </message>
</context>
<context>
    <name>ToolsButton</name>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Which tools this conversation offers: {state}</source>
        <translation>此对话提供的工具：{state}</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{count} on</source>
        <translation>开启 {count} 个</translation>
    </message>
    <message>
        <source>{count} on, folder {folder}</source>
        <translation>开启 {count} 个，文件夹 {folder}</translation>
    </message>
    <message>
        <source>{count} on, folder {folder} is gone</source>
        <translation>开启 {count} 个，文件夹 {folder} 已不存在</translation>
    </message>
    <message>
        <source>{count} on, no folder</source>
        <translation>开启 {count} 个，没有文件夹</translation>
    </message>
    <message>
        <source>{name} ({count})</source>
        <translation>{name}（{count}）</translation>
    </message>
    <message>
        <source>{name}: {state}</source>
        <translation>{name}：{state}</translation>
    </message>
</context>
<context>
    <name>ToolsControl</name>
    <message>
        <source>Folder for tools</source>
        <translation>工具的文件夹</translation>
    </message>
</context>
<context>
    <name>ToolsSheet</name>
    <message>
        <source>All that only read</source>
        <translation>全部只读工具</translation>
    </message>
    <message>
        <source>An answer is running and keeps its tools; what you change here is for the next turn.</source>
        <translation>正在生成的回答保留其工具；此处的更改从下一轮生效。</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder: {folder}</source>
        <translation>文件夹：{folder}</translation>
    </message>
    <message>
        <source>No folder</source>
        <translation>没有文件夹</translation>
    </message>
    <message>
        <source>None</source>
        <translation>全部关闭</translation>
    </message>
    <message>
        <source>Nothing runs unasked: you are asked about every call, unless one of your rules answers it.</source>
        <translation>不会擅自运行：每个调用都会询问你，除非你的某条规则已作答。</translation>
    </message>
    <message>
        <source>On, but not here any more: {tools}.</source>
        <translation>已开启但不再存在：{tools}。</translation>
    </message>
    <message>
        <source>Switch all tools off</source>
        <translation>关闭所有工具</translation>
    </message>
    <message>
        <source>Switch on all tools that only read, and no other</source>
        <translation>只开启只读工具</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Work in no folder</source>
        <translation>不在任何文件夹中工作</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>All actions</source>
        <translation>所有操作</translation>
    </message>
    <message>
        <source>All tabs</source>
        <translation>所有标签页</translation>
    </message>
    <message>
        <source>Conversation list</source>
        <translation>对话列表</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>Search or run…</source>
        <translation>搜索或执行…</translation>
    </message>
</context>
<context>
    <name>TraceView</name>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
</context>
<context>
    <name>TranscriptFeed</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Cut at the end of the context window</source>
        <translation>在上下文窗口末尾被截断</translation>
    </message>
    <message>
        <source>Cut at the output limit</source>
        <translation>达到输出上限，被截断</translation>
    </message>
    <message>
        <source>Cut by the provider&apos;s content filter</source>
        <translation>被提供商的内容过滤器截断</translation>
    </message>
    <message>
        <source>Edited by you</source>
        <translation>由你编辑</translation>
    </message>
    <message>
        <source>Ended with “{reason}”</source>
        <translation>以“{reason}”结束</translation>
    </message>
    <message>
        <source>Incomplete: the connection ended before the provider said the answer was finished</source>
        <translation>不完整：提供商尚未表示回答结束，连接就已断开</translation>
    </message>
    <message>
        <source>Resend with another role for the system text, and remember</source>
        <translation>将系统文本改用其他角色重新发送，并记住</translation>
    </message>
    <message>
        <source>Resend without {parameter}, and remember</source>
        <translation>去掉 {parameter} 重新发送，并记住</translation>
    </message>
    <message>
        <source>Stopped by you</source>
        <translation>已由你停止</translation>
    </message>
    <message>
        <source>Stopped by you before an answer began</source>
        <translation>回答开始前已由你停止</translation>
    </message>
    <message>
        <source>The model gave an empty answer</source>
        <translation>模型给出了空回答</translation>
    </message>
    <message>
        <source>The model refused</source>
        <translation>模型拒绝回答</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>request {id}</source>
        <translation>请求 {id}</translation>
    </message>
    <message>
        <source>status {status}</source>
        <translation>状态 {status}</translation>
    </message>
</context>
<context>
    <name>ValueBar</name>
    <message>
        <source>As others say</source>
        <translation>采用其他来源</translation>
    </message>
    <message>
        <source>Correct {field}</source>
        <translation>更正{field}</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Revert to what others say</source>
        <translation>恢复为其他来源的值</translation>
    </message>
    <message>
        <source>Takes your correction back (Delete)</source>
        <translation>撤销你的更正 (Delete)</translation>
    </message>
    <message>
        <source>Tokens, as in 200000 or 200k; empty for what others say.</source>
        <translation>token 数，例如 200000 或 200k；留空则采用其他来源。</translation>
    </message>
    <message>
        <source>US dollars per million tokens, as in 0.25; empty for what others say.</source>
        <translation>每百万 token 的美元价格，例如 0.25；留空则采用其他来源。</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>VariableForm</name>
    <message>
        <source>%1 is not set now: set it and start agdesk again.</source>
        <translation>%1 当前未设置：请设置后重新启动 agdesk。</translation>
    </message>
    <message>
        <source>%1 is set now.</source>
        <translation>%1 当前已设置。</translation>
    </message>
    <message>
        <source>Environment variable that holds the key of %1</source>
        <translation>保存 %1 密钥的环境变量</translation>
    </message>
    <message>
        <source>Use this variable</source>
        <translation>使用此变量</translation>
    </message>
</context>
<context>
    <name>VirtualTranscript</name>
    <message>
        <source>%1: the answer is complete</source>
        <translation>%1：回答已完成</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>assistant message</source>
        <translation>助手消息</translation>
    </message>
    <message>
        <source>notice</source>
        <translation>提示</translation>
    </message>
</context>
<context>
    <name>WaitLine</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop waiting for the key store</source>
        <translation>停止等待密钥库</translation>
    </message>
    <message>
        <source>Waiting for the key store…</source>
        <translation>正在等待密钥库…</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Explain what a token is in two sentences.</source>
        <translation>用两句话解释什么是 token。</translation>
    </message>
    <message>
        <source>Say hello in French.</source>
        <translation>用法语打个招呼。</translation>
    </message>
    <message>
        <source>Start a conversation</source>
        <translation>开始对话</translation>
    </message>
    <message>
        <source>The built-in model answers on this machine, without a key. Keys of other providers are added in Settings (Ctrl+,).</source>
        <translation>内置模型在本机回答，无需密钥。其他提供商的密钥可在“设置”（Ctrl+,）中添加。</translation>
    </message>
    <message>
        <source>Write a haiku about a window.</source>
        <translation>写一首关于窗户的俳句。</translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <source>All branches…</source>
        <translation>所有分支…</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Answer again with another model…</source>
        <translation>用其他模型重新回答…</translation>
    </message>
    <message>
        <source>Attach files…</source>
        <translation>添加附件…</translation>
    </message>
    <message>
        <source>Choose model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Close conversation</source>
        <translation>关闭对话</translation>
    </message>
    <message>
        <source>Context…</source>
        <translation>上下文…</translation>
    </message>
    <message>
        <source>Continue the last answer</source>
        <translation>继续上一条回答</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Conversation in tab {number}</source>
        <translation>标签页 {number} 中的对话</translation>
    </message>
    <message>
        <source>Conversation list</source>
        <translation>对话列表</translation>
    </message>
    <message>
        <source>Copy conversation as Markdown</source>
        <translation>以 Markdown 复制对话</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>复制诊断信息</translation>
    </message>
    <message>
        <source>Cost and prices…</source>
        <translation>费用和价格…</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>Delete conversation</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Delete last message</source>
        <translation>删除最后一条消息</translation>
    </message>
    <message>
        <source>Detach into a window of its own</source>
        <translation>分离为独立窗口</translation>
    </message>
    <message>
        <source>Edit last message</source>
        <translation>编辑最后一条消息</translation>
    </message>
    <message>
        <source>Find in the conversation</source>
        <translation>在对话中查找</translation>
    </message>
    <message>
        <source>Folder for tools…</source>
        <translation>工具的文件夹…</translation>
    </message>
    <message>
        <source>Fork into a new conversation</source>
        <translation>分叉为新对话</translation>
    </message>
    <message>
        <source>Go to queued messages</source>
        <translation>转到排队的消息</translation>
    </message>
    <message>
        <source>Go to the call that waits</source>
        <translation>转到等待的调用</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Jump to the latest message</source>
        <translation>跳到最新消息</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
    <message>
        <source>Move conversation to the left</source>
        <translation>将对话左移</translation>
    </message>
    <message>
        <source>Move conversation to the right</source>
        <translation>将对话右移</translation>
    </message>
    <message>
        <source>Narrower conversation list</source>
        <translation>对话列表变窄</translation>
    </message>
    <message>
        <source>Narrower inspector</source>
        <translation>检查器变窄</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>Next conversation</source>
        <translation>下一个对话</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一个匹配项</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>默认文字大小</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Pause queued messages</source>
        <translation>暂停排队的消息</translation>
    </message>
    <message>
        <source>Presets of parameters…</source>
        <translation>参数预设…</translation>
    </message>
    <message>
        <source>Previous conversation</source>
        <translation>上一个对话</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配项</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Quit agdesk</source>
        <translation>退出 agdesk</translation>
    </message>
    <message>
        <source>Reasoning effort…</source>
        <translation>推理强度…</translation>
    </message>
    <message>
        <source>Rename conversation…</source>
        <translation>重命名对话…</translation>
    </message>
    <message>
        <source>Reopen closed conversation</source>
        <translation>重新打开已关闭的对话</translation>
    </message>
    <message>
        <source>Resume queued messages</source>
        <translation>继续排队的消息</translation>
    </message>
    <message>
        <source>Retry now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Return to the main window</source>
        <translation>回到主窗口</translation>
    </message>
    <message>
        <source>Revoke rules for calls</source>
        <translation>撤销调用的规则</translation>
    </message>
    <message>
        <source>Save parameters as preset…</source>
        <translation>将参数保存为预设…</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Search or run…</source>
        <translation>搜索或执行…</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Stop answering</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Tabs</source>
        <translation>标签页</translation>
    </message>
    <message>
        <source>Theme of the system</source>
        <translation>跟随系统主题</translation>
    </message>
    <message>
        <source>Tools…</source>
        <translation>工具…</translation>
    </message>
    <message>
        <source>Undo closing or deleting</source>
        <translation>撤销关闭或删除</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>What would a model receive?…</source>
        <translation>模型会收到什么？…</translation>
    </message>
    <message>
        <source>Wider conversation list</source>
        <translation>对话列表变宽</translation>
    </message>
    <message>
        <source>Wider inspector</source>
        <translation>检查器变宽</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>输入消息</translation>
    </message>
</context>
<context>
    <name>_BranchList</name>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
</context>
<context>
    <name>_ColumnHeads</name>
    <message>
        <source>In $/M</source>
        <translation>输入 $/M</translation>
    </message>
    <message>
        <source>Out $/M</source>
        <translation>输出 $/M</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
</context>
<context>
    <name>_ModelButton</name>
    <message>
        <source>Model: {name}</source>
        <translation>模型：{name}</translation>
    </message>
    <message>
        <source>{name}: answers next. Choose another model (Ctrl+Shift+M)</source>
        <translation>{name}：下一条由它回答。选择其他模型 (Ctrl+Shift+M)</translation>
    </message>
</context>
</TS>
