;;; ide-companion-rpc.el --- The JSON-RPC connection of ide-companion  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts the program and speaks JSON-RPC with it on its standard streams.

;;; Code:

(eval-when-compile
  (require 'cl-lib))
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-text)

(declare-function jsonrpc-async-request "jsonrpc")
(declare-function jsonrpc-events-buffer "jsonrpc")
(declare-function jsonrpc-notify "jsonrpc")
(declare-function jsonrpc-request "jsonrpc")
(declare-function jsonrpc-running-p "jsonrpc")
(declare-function make-instance "eieio")
(declare-function slot-exists-p "eieio")

(defvar ide-companion--initialized nil "Whether the program has answered.")
(defvar ide-companion--agents nil
  "The agents that the program starts, known after its first start.
Each is a property list of :name, :displayName and :command.")
(defvar ide-companion--connection nil "The JSON-RPC connection, or nil.")
(defvar ide-companion--process nil "The process of the connection.")

(defun ide-companion--ready-p ()
  "Whether the program can receive messages."
  (and ide-companion--initialized
       ide-companion--connection
       (jsonrpc-running-p ide-companion--connection)))

(defun ide-companion--notify (method params)
  "Send the notification METHOD with PARAMS to the program."
  (jsonrpc-notify ide-companion--connection method params))

(defun ide-companion--ask (method params on-answer)
  "Send the request METHOD with PARAMS to the program.
ON-ANSWER is called with the result and with an error message."
  (jsonrpc-async-request
   ide-companion--connection method params
   :timeout nil
   :success-fn (lambda (result) (ide-companion--guarded on-answer result nil))
   :error-fn (lambda (failure)
               (ide-companion--guarded on-answer nil (plist-get failure :message)))))

(defun ide-companion--fetch (method params)
  "Wait for the answer of the program to METHOD with PARAMS, and return it."
  (unless (ide-companion--ready-p)
    (user-error "The companion is not running.  Start it by M-x ide-companion-start"))
  (condition-case failure
      (jsonrpc-request ide-companion--connection method params :timeout 5)
    (jsonrpc-error
     (user-error "%s" (or (alist-get 'jsonrpc-error-message (seq-filter #'consp (cdr failure)))
                          (error-message-string failure))))))

(defun ide-companion--on-stderr (process text)
  "Log TEXT of PROCESS, line by line."
  (let* ((lines (split-string (concat (process-get process 'rest) text) "\n"))
         (complete (butlast lines)))
    (process-put process 'rest (car (last lines)))
    (mapc #'ide-companion--log complete)))

(defun ide-companion--start-process (folder)
  "Make the process of the program, in FOLDER or the nearest one that exists.
The first save of a new file may make FOLDER."
  (let* ((default-directory (ide-companion--existing-folder (file-name-as-directory folder)))
         (errors (make-pipe-process :name "ide-companion errors" :noquery t :coding 'utf-8
                                    :buffer (generate-new-buffer " *ide-companion errors*")
                                    :filter #'ide-companion--on-stderr
                                    :sentinel #'ignore)))
    (process-put errors 'rest "")
    ;; As in Emacs 30.  Otherwise a text of some megabytes comes in thousands of pieces, with a pause after each.
    (setq read-process-output-max (max read-process-output-max 65536))
    (condition-case failure
        (let* ((process-adaptive-read-buffering nil)
               (process (make-process :name "ide-companion" :command ide-companion-command
                                     :connection-type 'pipe :coding 'utf-8-emacs-unix
                                     :noquery t :stderr errors)))
          (process-put process 'errors errors)
          process)
      (error
       (kill-buffer (process-buffer errors))
       (signal (car failure) (cdr failure))))))

(defvar json-false)
(defvar json-null)
(defvar json-object-type)
(declare-function json-read "json")

(defun ide-companion--read-json (read)
  "Call READ with point at a message; when it fails, read it in Lisp.
Before Emacs 30, READ takes neither a NUL nor half a surrogate
pair.  The reader in Lisp takes seconds for some megabytes."
  (let ((start (point)))
    (condition-case nil
        (funcall read)
      (error
       (require 'json)
       (goto-char start)
       (let ((json-object-type 'plist) (json-false :json-false) (json-null nil))
         (json-read))))))

(defun ide-companion--handle-output (filter process output)
  "Call FILTER, that of jsonrpc, with the OUTPUT of PROCESS."
  (let ((read (symbol-function 'jsonrpc--json-read)))
    (cl-letf (((symbol-function 'jsonrpc--json-read)
               (lambda () (ide-companion--read-json read))))
      (funcall filter process output))))

(defun ide-companion--make-connection (process &rest handlers)
  "The JSON-RPC connection with PROCESS.
HANDLERS are keyword arguments of `jsonrpc-connection'."
  (let ((connection
         (apply #'make-instance 'jsonrpc-process-connection
                :name "ide-companion" :process process
                ;; The events would hold tokens, and the texts of files.
                (append (if (slot-exists-p 'jsonrpc-connection '-events-buffer-config)
                            (list :events-buffer-config '(:size 0))
                          (list :events-buffer-scrollback-size 0))
                        handlers))))
    (when (fboundp 'jsonrpc--json-read)
      (add-function :around (process-filter process) #'ide-companion--handle-output))
    connection))

(defun ide-companion--tidy (connection process)
  "Kill the buffers that CONNECTION and PROCESS had."
  (dolist (buffer (list (jsonrpc-events-buffer connection)
                        (process-buffer process)
                        (process-get process 'jsonrpc-stderr)
                        (process-buffer (process-get process 'errors))))
    (when (buffer-live-p buffer)
      (kill-buffer buffer))))

(provide 'ide-companion-rpc)
;;; ide-companion-rpc.el ends here
